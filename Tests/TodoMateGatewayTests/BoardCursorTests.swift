import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("A board's cursor")
struct BoardCursorTests {
    private func text(_ cursor: BoardCursor) -> String { String(decoding: cursor.text, as: UTF8.self) }

    @Test("finds each user's place again, in any order and among others")
    func places() {
        let users = (0..<100).map { "user\($0)" }
        var cursor = BoardCursor(users: users)
        for index in users.indices where index % 3 != 0 {
            cursor.set(
                index,
                [.public, .followers, .own][index % 3],
                ChangeID(version: index + 1, microseconds: 1_763_677_123_456_789)
            )
        }
        let text = text(cursor)
        #expect(text.utf8.count == 2003)
        let places = BoardCursor.places(text)
        for (index, user) in users.enumerated() {
            let place = places[BoardCursor.hash(user)]
            guard index % 3 != 0 else {
                #expect(place == nil)
                continue
            }
            #expect(place?.id == ChangeID(version: index + 1, microseconds: 1_763_677_123_456_789))
            #expect(place?.access == [.public, .followers, .own][index % 3])
        }
    }

    @Test("forgets a place that ended, and one that does not fit")
    func forgets() {
        var cursor = BoardCursor(users: ["alice", "bob"])
        let id = ChangeID(version: 7, microseconds: 8)
        cursor.set(0, .own, id)
        cursor.set(1, .followers, id)
        cursor.set(1, .none, .zero)
        #expect(Array(BoardCursor.places(text(cursor)).keys) == [BoardCursor.hash("alice")])
        cursor.set(0, .own, ChangeID(version: 1 << 40, microseconds: 8))
        #expect(BoardCursor.places(text(cursor)).isEmpty)
    }

    @Test(
        "is nothing when it is no cursor",
        arguments: [
            "", "b1.", "b1.A", "b2.AAAA", "57-1763677123456789", "b1." + String(repeating: "A", count: 4000), "b1.%%%%",
        ]
    )
    func broken(_ text: String) {
        #expect(BoardCursor.places(text).isEmpty)
    }
}
