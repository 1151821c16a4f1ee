import EventLoop
import RedisClient
package import TodoMate

// What lies between two people.
extension RedisArchive {
    /// What one of a user's lists has of others, by pages.
    ///
    /// - Parameters:
    ///   - uid: whose list.
    ///   - list: which one.
    ///   - todo: which todo's reactions; nil for the other lists.
    package func links(of uid: String, in list: ArchiveLink.List, todo: String? = nil) -> ArchiveLinkPages {
        let key = TodoKeys.user(uid) + ":\(list.rawValue)" + (todo.map { ":\($0)" } ?? "")
        let isHash = [.following, .reactions].contains(list)
        return ArchiveLinkPages(functions.members(of: key, isHash ? .hash : .sortedSet), of: uid, in: list, todo)
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
