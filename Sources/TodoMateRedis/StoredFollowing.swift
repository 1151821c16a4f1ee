import RedisClient
import TodoMate

/// The users that a user follows, as in `todomate:{uid}:following`: the other user → `<state> <asked> <position>`.
enum StoredFollowing {
    static func key(of uid: String) -> String { TodoKeys.key(.following, of: uid) }

    /// What HGETALL answers, in the user's order.
    static func read(_ reply: RedisValue, of uid: String) throws(TodoError) -> [Followed] {
        let words = reply.array ?? []
        var entries: [Followed] = []
        entries.reserveCapacity(words.count / 2)
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            guard let other = words[index].string, let entry = words[index + 1].bytes.flatMap({ followed(other, $0) })
            else {
                throw .broken(
                    "\(key(of: uid)) was edited by hand: HDEL it "
                        + String(decoding: words[index].bytes ?? [], as: UTF8.self)
                )
            }
            entries.append(entry)
        }
        return entries.sorted { ($0.position, $0.uid) < ($1.position, $1.uid) }
    }

    private static func followed(_ other: String, _ wish: [UInt8]) -> Followed? {
        let words = wish.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, let state = FollowState(rawValue: String(decoding: words[0], as: UTF8.self)),
            !words[1].isEmpty, words[1].allSatisfy({ (0x30...0x39).contains($0) }),
            let position = Double(String(decoding: words[2], as: UTF8.self)), position.isFinite
        else { return nil }
        return Followed(uid: other, state: state, position: position)
    }
}
