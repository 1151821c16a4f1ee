import EventLoop
import RedisClient
package import TodoMate

// What lies between two people.
extension RedisArchive {
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
}
