package import EventLoop
import RedisClient
package import TodoMate

/// What one of a user's lists has of others, as an archive tells it, a page at a time.
@LoopActor
package final class ArchiveLinkPages {
    private let pages: MemberPages<TodoError>
    private let uid: String
    private let list: ArchiveLink.List
    private let todo: String?

    init(_ pages: MemberPages<TodoError>, of uid: String, in list: ArchiveLink.List, _ todo: String?) {
        (self.pages, self.uid, self.list, self.todo) = (pages, uid, list, todo)
    }

    /// The next page, which may be empty; nil at the end.
    package func next() async throws(TodoError) -> [ArchiveLink]? {
        try await pages.next()?.compactMap { member in
            link(String(decoding: member.name, as: UTF8.self), String(decoding: member.value, as: UTF8.self))
        }
    }

    private func link(_ other: String, _ value: String) -> ArchiveLink? {
        if let todo { return ArchiveLink(uid: uid, with: other, list: list, todo: todo, emoji: value) }
        guard list == .following else {
            return ArchiveLink(uid: uid, with: other, list: list, at: Double(value).flatMap { Int(exactly: $0) })
        }
        return value.wholeMatch(of: /([a-z]+) (\d+) (\S+)/).map {
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
}
