package import EventLoop
package import RedisClient
package import TodoMate

/// All that a Redis holds of users, to be written out and read in again.
@LoopActor
package final class RedisArchive {
    /// Most todos in one call of a function: longer ones would hold others up.
    package nonisolated static let batch = ArchiveOutcome.mostAtOnce
    /// Up to so many todos a user's are read at one moment, and in list order.
    package nonisolated static let atOnce = 10_000

    private let client: RedisClient?
    private let functions: TodoFunctions

    /// An archive of the Redis at `url`.
    package init(_ url: RedisURL, timeout: Duration = .seconds(5)) {
        let client = RedisClient(url, timeout: timeout)
        self.client = client
        functions = TodoFunctions(client)
    }

    /// An archive over a connection that others use as well.
    init(_ functions: TodoFunctions) {
        client = nil
        self.functions = functions
    }

    /// Closes the connection; calls in progress fail.
    package func close() { client?.close() }

    /// The users who have todos or, optionally, an account; sorted.
    package func users(withProfiles: Bool = false) async throws(TodoError) -> [String] {
        var users = try await users(having: .todos)
        if withProfiles {
            for part in [TodoKeys.Part.profile, .goals, .following, .followers, .requests, .blocked] {
                users.formUnion(try await self.users(having: part))
            }
        }
        return users.sorted()
    }

    private func users(having part: TodoKeys.Part) async throws(TodoError) -> Set<String> {
        Set(try await functions.users(having: part).filter { (try? TodoBounds.uid($0)) != nil })
    }

    /// How many todos each of these users has.
    package func counts(of users: ArraySlice<String>) async throws(TodoError) -> [Int] {
        try await pipelined(users.map { RedisCommand("HLEN", TodoKeys.key(.todos, of: $0)) }).map { $0.integer ?? 0 }
    }

    /// Sessions, and what decides about them, are of one installation alone.
    private static let profileFields = Set(
        ["password", "mail", "audience", "visibility", "feedSeen"] + Preferences.fields
    )

    /// What a user's profile holds, but for what is of this installation alone.
    package func profile(of uid: String) async throws(TodoError) -> [String: String] {
        // Nobody could sign in to an account that was made of a password that nobody has.
        var fields = try await storedProfile(of: uid)
        if fields["password"] == SignInFacts.noPassword { fields["password"] = nil }
        // That there are none is said as well, so that an import with `--replace` has none either.
        if !fields.isEmpty, fields["goals"] == nil { fields["goals"] = "[]" }
        return fields
    }

    private func storedProfile(of uid: String) async throws(TodoError) -> [String: String] {
        let reply = try await send(RedisCommand("HGETALL", TodoKeys.key(.profile, of: uid))).array ?? []
        var fields: [String: String] = [:]
        for pair in stride(from: 0, to: reply.count - 1, by: 2) {
            guard let name = reply[pair].string, Self.profileFields.contains(name), let value = reply[pair + 1].string
            else { continue }
            fields[name] = value
        }
        let goals = try await goals(of: uid)
        if !goals.isEmpty { fields["goals"] = "[\(goals.map(\.json).joined(separator: ","))]" }
        let routines = try await send(RedisCommand("HVALS", TodoKeys.key(.routines, of: uid))).array ?? []
        if !routines.isEmpty {
            fields["routines"] = "[\(routines.compactMap(\.string).sorted().joined(separator: ","))]"
        }
        // Decisions about this installation's account stay here; only the audience shows them.
        if let audience = reply.value(of: "leavingAudience") { fields["audience"] = audience }
        return fields
    }

    /// Those that can be read, in the order of their ids.
    private func goals(of uid: String) async throws(TodoError) -> [Goal] {
        let stored = try await send(RedisCommand("HGETALL", TodoKeys.key(.goals, of: uid))).array ?? []
        return stride(from: 0, to: stored.count - 1, by: 2).compactMap { index in
            let goal = stored[index + 1].bytes.flatMap(ReadableGoal.init(json:))?.goal
            return goal?.id == stored[index].string ? goal : nil
        }.sorted { $0.id < $1.id }
    }

    /// All stored todos of these users, each user's as they were at one moment: for users with few.
    package func todos(of users: ArraySlice<String>) async throws(TodoError) -> [[[UInt8]]] {
        try await pipelined(users.map { RedisCommand("HVALS", TodoKeys.key(.todos, of: $0)) })
            .map { ($0.array ?? []).compactMap(\.bytes) }
    }

    /// The ids of a user's todos, in order of their days.
    func ids(of uid: String) async throws(TodoError) -> [String] {
        let reply = try await send(RedisCommand("ZRANGE", TodoKeys.key(.days, of: uid), "0", "-1"))
        return (reply.array ?? []).compactMap(\.string)
    }

    /// Those of these todos that are there.
    func todos(_ ids: ArraySlice<String>, of uid: String) async throws(TodoError) -> [[UInt8]] {
        var command = RedisCommand("HMGET", TodoKeys.key(.todos, of: uid))
        for id in ids { command.append(id) }
        return (try await send(command).array ?? []).compactMap(\.bytes)
    }

    /// A page of a user's stored todos, and where the next begins; nil at the end.
    ///
    /// A todo that is there all the time is on some page, rarely on two.
    package func page(of uid: String, at cursor: String) async throws(TodoError) -> (todos: [[UInt8]], next: String?) {
        let scan = RedisCommand("HSCAN", TodoKeys.key(.todos, of: uid), cursor, "COUNT", "1000")
        let reply = try await send(scan).array ?? []
        let values = (reply.last?.array ?? []).enumerated().filter { $0.offset % 2 == 1 }.compactMap(\.element.bytes)
        let next = reply.first?.string ?? "0"
        return (values, next == "0" ? nil : next)
    }

    /// Writes up to ``batch`` todos of one user, given as lines of an archive; saying it again does nothing.
    ///
    /// - Parameters:
    ///   - lines: a todo each.
    ///   - uid: whose they are.
    ///   - replacing: whether a todo that is there under the same id gives way, rather than refuse the line.
    package func importTodos(
        _ lines: [[UInt8]],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        let reply = try await functions.call(
            "todomate_import",
            uid,
            bytes: [Array((replacing ? "replace" : "add").utf8)] + lines,
            isRepeatable: true
        )
        return try Self.outcomes(reply, count: lines.count)
    }

    private static func outcomes(_ reply: RedisValue, count: Int) throws(TodoError) -> [ArchiveOutcome] {
        let outcomes = (reply.array ?? []).map { answer -> ArchiveOutcome in
            switch answer.string {
            case "added": .added
            case "replaced": .replaced
            case "unchanged": .unchanged
            case let text: .refused(TodoError(.server(RedisServerError(message: text ?? ""))).description)
            }
        }
        guard outcomes.count == count else { throw .broken("an import was answered for other lines") }
        return outcomes
    }

    /// Writes what a profile holds, field by field.
    package func importProfile(
        _ fields: [String: String],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> ArchiveOutcome {
        let old = try await storedProfile(of: uid)
        // An address counts where somebody who reads it has confirmed it.
        var new = fields.filter { $0.key != "mail" && old[$0.key] != $0.value }
        let goals = try new["goals"].map(ArchiveLine.goals)
        let oldGoals = old["goals"].flatMap { try? ArchiveLine.goals($0) } ?? []
        // Only with `replacing` a list of none takes anything away.
        if goals == oldGoals || goals?.isEmpty == true && !replacing { new["goals"] = nil }
        guard !new.isEmpty else { return .unchanged }
        if new["goals"] != nil, !oldGoals.isEmpty, !replacing { return .refused("\(uid) has other goals already") }
        if let taken = new.keys.sorted().first(where: { $0 != "goals" && old[$0] != nil }), !replacing {
            return .refused("\(uid) has another \(taken) already")
        }
        let settings = AccountPatch(
            audience: new["audience"].flatMap(Visibility.init),
            visibility: new["visibility"].flatMap(Visibility.init),
            feedSeen: new["feedSeen"].flatMap { Int($0) },
            preferences: new.filter { Preferences.fields.contains($0.key) }
        )
        // Those are checked and published to open boards; the first import of them also writes what was left out.
        if !settings.isEmpty { try await RedisRelationStore(functions).set(settings, of: uid) }
        if new["goals"] != nil, let goals, let refusal = try await restore(goals, of: uid, replacing: replacing) {
            return .refused(refusal)
        }
        if let routines = new["routines"] {
            let patches = try ArchiveLine.routines(routines).map { RoutinePatch($0) }
            if !patches.isEmpty {
                try await RedisRoutineStore(functions, RedisRelationStore(functions)).set(patches, of: uid)
            }
        }
        if let hash = new["password"] {
            let sessions = RedisSessionStore(functions)
            do throws(TodoError) {
                if replacing, old["password"] != nil {
                    try await sessions.setPasswordHash(hash, of: uid)
                } else {
                    // Not over what came in between.
                    try await sessions.enroll(uid, passwordHash: hash, keepingData: true)
                }
            } catch .exists(let reason) {
                return .refused(reason)
            }
        }
        return old.isEmpty ? .added : .replaced
    }

    /// Writes the goals of an export, all or none.
    ///
    /// - Returns: why they were refused; nil for well.
    private func restore(_ goals: [Goal], of uid: String, replacing: Bool) async throws(TodoError) -> String? {
        let words = [replacing ? "replace" : "add"] + goals.map(\.json)
        do throws(TodoError) {
            _ = try await functions.call("todomate_restore_goals", uid, words, isRepeatable: true)
            return nil
        } catch .exists(let reason) {
            return reason
        }
    }

    /// A page of what one of a user's lists has of others, and where the next begins; nil at the end.
    ///
    /// - Parameters:
    ///   - uid: whose list.
    ///   - list: which one.
    ///   - todo: which todo's reactions; nil for the other lists.
    ///   - cursor: where the page begins; "0" for the first.
    package func links(
        of uid: String,
        in list: ArchiveLink.List,
        todo: String? = nil,
        at cursor: String
    ) async throws(TodoError) -> (links: [ArchiveLink], next: String?) {
        let key = TodoKeys.user(uid) + ":\(list.rawValue)" + (todo.map { ":\($0)" } ?? "")
        let verb = [.following, .reactions].contains(list) ? "HSCAN" : "ZSCAN"
        let reply = try await send(RedisCommand(verb, key, cursor, "COUNT", "1000")).array ?? []
        let words = (reply.last?.array ?? []).map { $0.string ?? "" }
        let links = stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
            let (other, value) = (words[index], words[index + 1])
            if let todo { return ArchiveLink(uid: uid, with: other, list: list, todo: todo, emoji: value) }
            guard list == .following else {
                return ArchiveLink(uid: uid, with: other, list: list, at: Double(value).flatMap { Int(exactly: $0) })
            }
            let parts = value.wholeMatch(of: /([a-z]+) (\d+) (\S+)/)
            return parts.map {
                ArchiveLink(
                    uid: uid,
                    with: other,
                    list: list,
                    at: Int($0.2),
                    state: FollowState(rawValue: String($0.1)),
                    position: Double($0.3)
                )
            }
        }
        let next = reply.first?.string ?? "0"
        return (links, next == "0" ? nil : next)
    }

    /// The ids of todos with reactions, by owner; scans all keys.
    package func reactedTodos() async throws(TodoError) -> [String: [String]] {
        var todos: [String: [String]] = [:]
        try await functions.eachPage(ofKeys: TodoKeys.every(.reactions)) { keys in
            for key in keys {
                guard let match = key.wholeMatch(of: /todomate:\{([^}]+)\}:reactions:(.+)/) else { continue }
                todos[String(match.1), default: []].append(String(match.2))
            }
        }
        return todos
    }

    /// Writes up to ``batch`` entries of one user's lists; saying it again does nothing.
    ///
    /// The pairs are left to be settled, once all lines of an import are in: ``settle(_:)``.
    package func importLinks(
        _ links: [ArchiveLink],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        let words = [replacing ? "replace" : "add"] + links.map(\.json)
        let reply = try await functions.call("todomate_restore", uid, words, isRepeatable: true)
        return try Self.outcomes(reply, count: links.count)
    }

    /// Has the sides of a user's pairs meet that an import has left half-way.
    package func settle(_ uid: String) async throws(TodoError) { try await FollowingRepair(functions).settle(uid) }

    /// Makes the index and the count of versions fit the stored todos of these ids, each atomically.
    ///
    /// - Returns: the ids that could not be repaired, and why.
    package func repair(_ ids: [String], of uid: String) async throws(TodoError) -> [(id: String, reason: String)] {
        var refusals: [(id: String, reason: String)] = []
        for first in stride(from: 0, to: ids.count, by: Self.batch) {
            let some = Array(ids[first..<min(first + Self.batch, ids.count)])
            let answers = try await functions.call("todomate_repair", uid, some, isRepeatable: true).array ?? []
            for (id, answer) in zip(some, answers) {
                guard let text = answer.string, text.hasPrefix("TODOMATE_") else { continue }
                refusals.append((id, TodoError(.server(RedisServerError(message: text))).description))
            }
        }
        return refusals
    }

    /// The version of the function library that this program brings along.
    package nonisolated static var libraryVersion: Int { TodoFunctions.version }

    private func pipelined(_ commands: [RedisCommand]) async throws(TodoError) -> [RedisValue] {
        try await functions.plain(commands)
    }

    private func send(_ command: RedisCommand) async throws(TodoError) -> RedisValue {
        try await functions.plain(command, isRepeatable: true)
    }
}

extension [RedisValue] {
    /// The value of a field, in the pairs of a hash.
    fileprivate func value(of name: String) -> String? {
        stride(from: 0, to: count - 1, by: 2).first { self[$0].string == name }.flatMap { self[$0 + 1].string }
    }
}
