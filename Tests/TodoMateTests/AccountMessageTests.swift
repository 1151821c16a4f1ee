import EventLoop
import Testing
import TodoMate

private let todo =
    #"{"id":"t1","uid":"alice","date":"2026-11-20","content":"Buy milk","detail":"","status":"complete","position":3,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:01Z""#

@Suite("Messages of shared boards")
@LoopActor
struct AccountMessageTests {
    private func change(_ text: String) throws -> TodoChange { try TodoChange(message: Array(text.utf8), uid: "alice") }

    @Test("say who may see a todo, who reacted, and what was before; their bytes are passed on")
    func todos() throws {
        let text =
            #"{"id":"57-9","type":"modified","todo":\#(todo),"visibility":"public","reactions":{"❤️":2,"👍":1}},"was":{"status":"todo","visibility":"private"}}"#
        let change = try change(text)
        #expect(String(decoding: change.message, as: UTF8.self) == text)
        #expect((change.visibility, change.visibilityBefore) == (.public, .private))
        #expect(change.todo.visibility == .public && change.todo.reactions == ["❤️": 2, "👍": 1])
    }

    @Test("of older versions are for followers")
    func older() throws {
        let text = #"{"id":"57-9","type":"added","todo":\#(todo)}}"#
        let change = try change(text)
        #expect(String(decoding: change.message, as: UTF8.self) == text)
        #expect(
            change.visibility == .followers && change.todo.visibility == .followers && change.todo.reactions.isEmpty
        )
        #expect(change.visibilityBefore == nil)
    }

    @Test(
        "are refused when what they say of that is wrong",
        arguments: [
            #","visibility":"nobody"}}"#, #","visibility":7}}"#, #","reactions":{"👍":0}}}"#,
            #","reactions":{"👍":-1}}}"#,
            #","reactions":["👍"]}}"#, #","visibility":"public"},"was":{"visibility":"all"}}"#,
        ]
    )
    func wrong(_ end: String) {
        #expect(throws: MessageRefusal.self) { try change(#"{"id":"57-9","type":"modified","todo":\#(todo)\#(end)"#) }
    }

    @Test("in another spelling are read all the same, visibility and all")
    func careful() throws {
        let change = try change(
            #"{"type":"modified", "was":{"visibility":"public"}, "todo":\#(todo),"visibility":"private"},"id":"57-9"}"#
        )
        #expect((change.visibility, change.visibilityBefore) == (.private, .public))
    }

    @Test("tell of relations and settings, which have no todo")
    func accounts() throws {
        let relation = try change(
            #"{"id":"58-9","type":"relation","relation":{"uid":"alice","with":"bob","following":"requested","follower":"none","blocked":false}}"#
        )
        #expect(relation.kind == .relation && relation.databaseChange == nil && relation.id?.version == 58)
        #expect(
            relation.account
                == .relation(
                    Relation(uid: "alice", with: "bob", following: .requested, follower: .none, blocked: false)
                )
        )
        let settings = try change(
            #"{"id":"59-9","type":"settings","settings":{"uid":"alice","audience":"private","visibility":"public","feedSeen":7},"was":{"audience":"public"}}"#
        )
        guard case .settings(let now, .public)? = settings.account else {
            Issue.record("\(String(describing: settings.account))")
            return
        }
        #expect((now.audience, now.visibility, now.feedSeen) == (.private, .public, 7))
    }

    @Test(
        "about accounts are refused without an id, for somebody else, or half",
        arguments: [
            #"{"type":"relation","relation":{"uid":"alice","with":"bob","following":"none","follower":"none","blocked":false}}"#,
            #"{"id":"0-0","type":"relation","relation":{"uid":"alice","with":"bob","following":"none","follower":"none","blocked":false}}"#,
            #"{"id":"58-9","type":"relation","relation":{"uid":"bob","with":"alice","following":"none","follower":"none","blocked":false}}"#,
            #"{"id":"58-9","type":"relation","relation":{"uid":"alice","with":"b b","following":"none","follower":"none","blocked":false}}"#,
            #"{"id":"58-9","type":"relation","relation":{"uid":"alice","with":"bob","following":"much","follower":"none","blocked":false}}"#,
            #"{"id":"58-9","type":"relation"}"#, #"{"id":"58-9","type":"settings","settings":{"uid":"alice"}}"#,
            #"{"id":"58-9","type":"relation","todo":\#(todo)}}"#,
        ]
    )
    func wrongAccounts(_ text: String) {
        #expect(throws: MessageRefusal.self) { try change(text) }
    }
}
