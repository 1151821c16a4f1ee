import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("Why something was refused, as it is kept")
struct KeptRefusalTests {
    private func entry(_ reason: TodoError) -> OutboxEntry {
        var entry = OutboxEntry(
            number: 1,
            todo: "a",
            key: "k",
            made: Date(timeIntervalSince1970: 12),
            intent: .edit(TodoPatch(content: "b"))
        )
        entry.state = .refused(reason)
        return entry
    }

    @Test(
        "is the same after a restart",
        arguments: [
            .invalid("why"), .exists("why"), .notFound("why"), .conflict("why", current: nil), .full("why"),
            .leaving("why"), .refused("why"), .reused("why"), .gone("why"), .unavailable("why"), .broken("why"),
        ] as [TodoError]
    )
    func round(_ reason: TodoError) {
        #expect(StoredEntry.entry(of: StoredEntry.json(of: entry(reason))) == entry(reason))
    }

    @Test(
        "is there in words where another program has kept it, which knew no kinds or knows more",
        arguments: [nil, "newer"]
    )
    func others(_ kind: String?) throws {
        let json = Data(StoredEntry.json(of: entry(.full("why"))).utf8)
        var fields = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(fields["refused"] as? String == "why" && fields["refusal"] as? String == "full")
        fields["refusal"] = kind
        let other = String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
        #expect(StoredEntry.entry(of: other) == entry(.invalid("why")))
    }
}
