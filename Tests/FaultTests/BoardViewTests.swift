import Foundation
import TodoMate
import Testing

@Suite("What a board shows")
struct BoardViewTests {
    private func todo(_ content: String, _ visibility: Visibility = .public, id: String = "t") -> String {
        "{\"id\":\"\(id)\",\"uid\":\"bob\",\"date\":\"2026-11-20\",\"content\":\"bob!\(content)\",\"revision\":2,\"micros\":7,"
            + "\"createdAt\":\"2026-11-20T09:00:00Z\",\"updatedAt\":\"2026-11-20T09:00:00Z\","
            + "\"visibility\":\"\(visibility.rawValue)\"}"
    }

    private func snapshot(_ access: Access, _ todos: String...) -> SeenEvent {
        let list = todos.joined(separator: ",")
        let data = "{\"uid\":\"bob\",\"access\":\"\(access.rawValue)\",\"id\":\"2-7\",\"todos\":[\(list)]}"
        return SeenEvent(kind: "snapshot", id: "b1.", data: data)
    }

    private func change(_ kind: String, _ todo: String) -> SeenEvent {
        SeenEvent(kind: kind, id: "b1.", data: "{\"id\":\"3-9\",\"type\":\"\(kind)\",\"todo\":\(todo)}")
    }

    private let redacted = "{\"id\":\"t\",\"uid\":\"bob\"}"
    private let closed = SeenEvent(kind: "closed", id: nil, data: "{\"uid\":\"bob\"}")

    private func view(_ events: SeenEvent...) -> BoardView {
        var view = BoardView()
        for event in events { view.apply(event) }
        return view
    }

    @Test("is what the events say, and nothing of who is closed")
    func shows() {
        let open = view(snapshot(.public, todo("a")), change("added", todo("b", id: "u")))
        #expect(open.shares["bob"]?.access == .public)
        #expect(open.shares["bob"]?.todos.mapValues(\.content) == ["t": "bob!a", "u": "bob!b"])
        #expect(view(snapshot(.public, todo("a")), change("removed", redacted)).shares["bob"]?.todos == [:])
        #expect(view(snapshot(.public, todo("a")), change("removed", todo("a"))).shares["bob"]?.todos == [:])
        #expect(view(snapshot(.public, todo("a")), closed).shares["bob"] == nil)
        #expect(view(closed, snapshot(.followers, todo("a", .followers))).shares["bob"]?.todos.count == 1)
        for kind in ["relation", "settings", "badges"] {
            #expect(view(SeenEvent(kind: kind, id: nil, data: "{}")).objections == [])
        }
        #expect(open.objections == [])
    }

    @Test("is objected to where it must not come")
    func objections() {
        for (events, count) in [
            (view(snapshot(.public, todo("a", .followers))), 1),
            (view(snapshot(.followers, todo("a", .followers), todo("b", .private, id: "u"))), 1),
            (view(snapshot(.own, todo("a", .private))), 0),
            (view(snapshot(.public), change("modified", todo("a", .private))), 1),
            (view(change("added", todo("a"))), 1),
            (view(snapshot(.public, todo("a")), closed, change("removed", redacted)), 1),
            (view(SeenEvent(kind: "message", id: nil, data: "{}")), 1),
            (view(SeenEvent(kind: "snapshot", id: nil, data: "{}")), 1),
            (view(change("modified", redacted)), 1),
        ] { #expect(events.objections.count == count, "\(events.objections)") }
    }

    @Test("differs from what is due by an access, a todo, its words, or a share that is closed or is not")
    func disagreements() {
        let due = view(snapshot(.public, todo("a"))).shares
        #expect(view(snapshot(.public, todo("a"))).disagreements(with: due, of: ["bob", "carol"]) == [])
        #expect(view(closed).disagreements(with: [:], of: ["bob"]) == [])
        for other in [
            view(), view(closed), view(snapshot(.followers, todo("a"))), view(snapshot(.public)),
            view(snapshot(.public, todo("b"))), view(snapshot(.public, todo("a"), todo("b", id: "u"))),
        ] { #expect(other.disagreements(with: due, of: ["bob"]).count == 1) }
        #expect(view(snapshot(.public)).disagreements(with: [:], of: ["bob"]).count == 1)
        #expect(view(snapshot(.public)).disagreements(with: [:], of: ["alice"]) == [])
    }
}
