package import EventLoop
import Foundation
package import TodoMate

/// What a server holds of one person, to be written out and read in again, over HTTP.
///
/// What others decide is left out when it is read in: who follows or asks to, and who reacted.
@LoopActor
package final class ServerArchive {
    /// A body is to be well below what a server takes.
    private static let mostBytes = 60_000
    /// How long nothing may come of an archive.
    private static let patience = Duration.seconds(60)

    private let server: Server
    private let stores: PersonalStores
    private let patience = RequestPatience()
    /// Whose it is.
    package let uid: String
    /// One request after the other, as later lines may be about the same todo.
    private let turns = FairTurns(parallel: 1, parallelOfOne: 1, most: .max, mostOfOne: .max)
    private var followed: [String: FollowState]?
    /// How many lines were left to those who decide about them.
    package private(set) var leftOut = 0

    init(_ server: Server, _ stores: PersonalStores, of uid: String) {
        (self.server, self.stores, self.uid) = (server, stores, uid)
    }

    // MARK: Writing out

    /// Hands over the lines of all that there is.
    ///
    /// - Parameter take: is given each line without its end; whether it wants more.
    /// - Throws: ``TodoError/unavailable(_:)`` also where the archive is cut off, so that what was handed over is not whole.
    package func read(_ take: @LoopActor (ArraySlice<UInt8>) async throws -> Bool) async throws {
        let request = ServerRequest(.get, try HTTPTodoRepository.path(uid, "archive"))
        var (rest, refusal) = ([UInt8](), ServerAnswer?.none)
        let parts: AsyncStream<HTTPTransport.Part>
        do throws(ServerFailure) {
            parts = try server.parts(of: request, await server.currentToken(), patience: Self.patience)
        } catch {
            throw error.todoError
        }
        for await part in parts {
            switch part {
            case .head(let status, let fields):
                if status != 200 { refusal = ServerAnswer(status: status, fields: fields, body: Data()) }
            case .body(let data) where refusal != nil: refusal?.append(data)
            case .body(let data):
                rest += data
                var first = 0
                while let end = rest[first...].firstIndex(of: UInt8(ascii: "\n")) {
                    guard try await take(rest[first..<end]) else { return }
                    first = end + 1
                }
                rest.removeFirst(first)
                guard rest.count <= ServerAnswer.mostBytes else {
                    throw TodoError.broken("a line of the archive is longer than \(ServerAnswer.mostBytes) bytes")
                }
            case .end(let reason):
                if let refusal { throw Self.error(ServerFailure(refusal)) }
                guard reason == nil, rest.isEmpty else {
                    throw TodoError.unavailable("the archive was cut off: \(reason ?? "its last line has no end")")
                }
                return
            }
        }
        throw TodoError.unavailable("the archive was cut off")
    }

    private static func error(_ failure: ServerFailure) -> TodoError {
        guard failure.status == 429, let wait = failure.retryAfter else { return failure.todoError }
        return .unavailable("\(failure.detail); archives can be had five times, and then every ten minutes (\(wait))")
    }

    // MARK: Reading in

    /// Has what is being read in wait for the server no more; what was not answered by then fails.
    package func endWaiting() { patience.end() }

    /// It is one's turn, and the server is waited for from now on: an import takes as long as it lets one write so much.
    private func turn() async -> FairTurn? {
        server.patience = patience
        return await turns.turn(for: uid)
    }

    /// Writes todos, given as lines of an archive; saying it again does nothing.
    package func importTodos(
        _ lines: [[UInt8]],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        let turn = await turn()
        defer { withExtendedLifetime(turn) {} }
        var outcomes: [ArchiveOutcome] = []
        var rest = lines[...]
        while !rest.isEmpty {
            var (count, size) = (0, 0)
            for line in rest.prefix(ArchiveOutcome.mostAtOnce) {
                size += line.count + 1
                guard count == 0 || size <= Self.mostBytes else { break }
                count += 1
            }
            outcomes += try await write(rest.prefix(count), replacing)
            rest = rest.dropFirst(count)
        }
        return outcomes
    }

    private struct Answer: Decodable {
        struct Line: Decodable {
            var outcome: String
            var reason: String?
        }
        var lines: [Line]
    }

    private func write(_ lines: ArraySlice<[UInt8]>, _ replacing: Bool) async throws(TodoError) -> [ArchiveOutcome] {
        var request = ServerRequest(
            .post,
            try HTTPTodoRepository.path(uid, "archive"),
            query: [("replace", replacing ? "yes" : nil)],
            body: String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
        )
        request.bodyType = "application/x-ndjson"
        let answer: Answer
        do throws(ServerFailure) {
            answer = try await server.answer(request).read()
        } catch {
            // One line that is longer than a body may be is the line's own trouble.
            guard error.status == 413 || error.status == 422, lines.count == 1 else { throw error.todoError }
            return [.refused(error.detail)]
        }
        guard answer.lines.count == lines.count else { throw .broken("an import was answered for other lines") }
        return answer.lines.map { line in
            switch line.outcome {
            case "added": .added
            case "replaced": .replaced
            case "unchanged": .unchanged
            default: .refused(line.reason ?? "the server does not say why")
            }
        }
    }

    /// Writes what a profile holds; the password and the mail address are not among that.
    package func importProfile(
        _ fields: [String: String],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> ArchiveOutcome {
        let turn = await turn()
        defer { withExtendedLifetime(turn) {} }
        let now = try await stores.relations.profile(of: uid).settings
        let change = ProfileImport(fields, over: now)
        let goals = try fields["goals"].map(ArchiveLine.goals) ?? []
        let goalsChange = fields["goals"] != nil && goals != now.goals && (replacing || !goals.isEmpty)
        if !replacing {
            // Those of this archive may be there from an attempt that was interrupted.
            if goalsChange, !now.goals.allSatisfy(goals.contains) { return .refused("\(uid) has other goals already") }
            if let taken = change.taken { return .refused("\(uid) has another \(taken) already") }
        }
        let routines = try (fields["routines"].map(ArchiveLine.routines) ?? []).filter { !now.routines.contains($0) }
        guard !change.patch.isEmpty || goalsChange || !routines.isEmpty else { return .unchanged }
        if !change.patch.isEmpty { try await stores.relations.set(change.patch, of: uid) }
        if goalsChange {
            for goal in goals where !now.goals.contains(goal) { try await stores.goals.set(GoalPatch(goal), of: uid) }
            for goal in now.goals where !goals.contains(where: { $0.id == goal.id }) {
                try await stores.goals.remove(goal.id, of: uid)
            }
        }
        if !routines.isEmpty { try await stores.routines.set(routines.map { RoutinePatch($0) }, of: uid) }
        return .replaced
    }

    /// Follows and blocks whom the archive says; what others decide is left out.
    package func importLinks(
        _ links: [ArchiveLink],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        let turn = await turn()
        defer { withExtendedLifetime(turn) {} }
        var outcomes: [ArchiveOutcome] = []
        for link in links { outcomes.append(try await write(link)) }
        return outcomes
    }

    private func write(_ link: ArchiveLink) async throws(TodoError) -> ArchiveOutcome {
        do throws(TodoError) {
            switch link.list {
            case .following:
                let known = try await followings()[link.with] ?? .none
                guard known == .none else { return .unchanged }
                _ = try await stores.relations.follow(link.with, by: uid, at: link.position)
                return .added
            case .blocked:
                guard try await !stores.relations.relation(of: uid, with: link.with).blocked else { return .unchanged }
                _ = try await stores.relations.block(link.with, by: uid)
                return .added
            case .followers, .requests, .reactions:
                leftOut += 1
                return .unchanged
            }
        } catch .unavailable(let reason) {
            throw .unavailable(reason)
        } catch {
            return .refused(error.description)
        }
    }

    private func followings() async throws(TodoError) -> [String: FollowState] {
        if let followed { return followed }
        let all = try await stores.relations.following(of: uid)
        let states = Dictionary(all.map { ($0.uid, $0.state) }) { $1 }
        followed = states
        return states
    }
}

/// What of a profile's fields is to be written over settings.
private struct ProfileImport {
    private(set) var patch = AccountPatch()
    /// A field that has been chosen already, and otherwise; nil for none.
    private(set) var taken: String?

    init(_ fields: [String: String], over now: AccountSettings) {
        let audience = fields["audience"].flatMap(Visibility.init)
        let visibility = fields["visibility"].flatMap(Visibility.init)
        // Whether the usual was chosen is not told: it counts as not chosen.
        if let audience, audience != now.audience {
            patch.audience = note("audience", audience, now.audience != .followers)
        }
        if let visibility, visibility != now.visibility {
            patch.visibility = note("visibility", visibility, now.visibility != .followers)
        }
        if let seen = fields["feedSeen"].flatMap({ Int($0) }), seen > now.feedSeen { patch.feedSeen = seen }
        for name in Preferences.fields {
            guard let value = fields[name], value != now.preferences[name] else { continue }
            patch.preferences[name] = note(name, value, now.preferences[name] != nil)
        }
    }

    private mutating func note<Value>(_ name: String, _ value: Value, _ isTaken: Bool) -> Value {
        if isTaken, taken == nil { taken = name }
        return value
    }
}

extension TodoClient {
    /// All that the server holds of the person.
    package var archive: ServerArchive { ServerArchive(server, stores, of: uid) }
}
