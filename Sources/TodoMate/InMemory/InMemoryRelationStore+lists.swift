import EventLoop
import Foundation

// Whom somebody follows, and who follows them.
extension InMemoryRelationStore {
    private static let mostOfPage = 1000

    func following(of uid: String) async throws(TodoError) -> [Followed] {
        try TodoBounds.uid(uid)
        return database[uid].following.values.sorted { ($0.position, $0.uid) < ($1.position, $1.uid) }
    }

    func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage {
        try TodoBounds.uid(uid)
        guard (1...Self.mostOfPage).contains(limit) else { throw .invalid("limit must be 1 to \(Self.mostOfPage)") }
        let all = database[uid].others[list, default: [:]].sorted { ($1.value, $1.key) < ($0.value, $0.key) }
        var rest = all[...]
        if let next {
            guard let dot = next.firstIndex(of: "."), let time = Int(next[..<dot]) else {
                throw .invalid("give what the page before calls next")
            }
            let name = String(next[next.index(after: dot)...])
            rest = rest.drop { ($0.value, $0.key) >= (time, name) }
        }
        let page = rest.prefix(limit)
        return FollowerPage(
            followers: page.map {
                .init(
                    uid: $0.key,
                    state: list,
                    since: Timestamp.text(Date(timeIntervalSince1970: Double($0.value / 1_000_000)))
                )
            },
            count: all.count,
            next: rest.count > limit ? page.last.map { "\($0.value).\($0.key)" } : nil
        )
    }
}
