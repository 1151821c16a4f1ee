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
    let functions: TodoFunctions

    /// An archive of the Redis at `url`.
    package init(_ url: RedisURL, timeout: Duration = .seconds(5), device: WritingDevice? = nil) {
        let client = RedisClient(url, timeout: timeout)
        self.client = client
        functions = TodoFunctions(client, device: device)
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

    /// A user's stored todos by pages, in any order.
    package func pages(of uid: String) -> MemberPages<TodoError> {
        functions.members(of: TodoKeys.key(.todos, of: uid), .hash)
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
        let (name, device) = functions.signing("todomate_import")
        let reply = try await functions.call(
            name,
            uid,
            bytes: (device + [replacing ? "replace" : "add"]).map { Array($0.utf8) } + lines,
            isRepeatable: true
        )
        return try Self.outcomes(reply, count: lines.count)
    }

    static func outcomes(_ reply: RedisValue, count: Int) throws(TodoError) -> [ArchiveOutcome] {
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

    func pipelined(_ commands: [RedisCommand]) async throws(TodoError) -> [RedisValue] {
        try await functions.plain(commands)
    }

    func send(_ command: RedisCommand) async throws(TodoError) -> RedisValue {
        try await functions.plain(command, isRepeatable: true)
    }
}
