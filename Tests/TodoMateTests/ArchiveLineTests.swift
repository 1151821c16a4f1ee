import Foundation
import Testing

@testable import TodoMate

@Suite("A line of an archive")
struct ArchiveLineTests {
    private static let todo =
        #"{"id":"t1","uid":"alice","date":"2026-11-20","content":"a \"b\" 한 😀","detail":"two\nlines","status":"inProgress","#
        + #""position":-0.5,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T10:00:00Z","#
        + #""visibility":"followers"}"#

    @Test(
        "is a todo in any spelling, with what can be left out",
        arguments: [
            todo, todo.dropLast() + #","time":"09:30"}"#,
            #"{"time":"","id":"t1","uid":"alice","content":"x","date":"2026-11-20"}"#,
            #"{"content":"x","date":"2026-11-20","uid":"alice","id":"t1"}"#,
            #" { "id" : "t1", "uid":"alice","date":"2026-11-20","content":"x","revision":1000000000000 } "#,
        ]
    )
    func todos(text: String) throws {
        let line = try ArchiveLine(Array(text.utf8))
        #expect(line == .todo(uid: "alice"))
    }

    @Test("is a profile, which reads back")
    func profiles() throws {
        let fields = ["password": "$argon2id$v=19$m=65536\"\\", "audience": "public"]
        let text = ArchiveLine.text(ofProfile: fields, of: "alice")
        #expect(text.hasPrefix(#"{"profile":{"uid":"alice","fields":{"audience":"public","password":"$argon2id"#))
        let line = try ArchiveLine(Array(text.utf8))
        #expect(line == .profile(uid: "alice", fields: fields))
    }

    @Test(
        "is what is between two users, or a reaction, which reads back",
        arguments: [
            ArchiveLink(uid: "alice", with: "bob", list: .following, at: 5, state: .requested, position: -0.5),
            ArchiveLink(uid: "alice", with: "bob", list: .followers, at: 1_763_677_123_456_789),
            ArchiveLink(uid: "alice", with: "bob", list: .reactions, todo: "t1", emoji: "👩🏻‍❤️‍💋‍👩🏿"),
        ]
    )
    func links(_ link: ArchiveLink) throws {
        let line = try ArchiveLine(Array(ArchiveLine.text(of: link).utf8))
        #expect(line == .link(link) && line.uid == "alice")
    }

    @Test(
        "is refused with a reason otherwise",
        arguments: [
            ("", "not JSON"), ("x", "not JSON"), ("[1]", "no object"), ("{}", "'id' is missing"),
            (todo.replacing("alice", with: "a b"), "uid must be"), (todo.replacing("t1", with: "t/1"), "id must be"),
            (todo.replacing("57", with: "0"), "revision must be"),
            (todo.replacing("57", with: "1000000000001"), "revision must be"),
            (todo.replacing("57", with: "1.5"), "revision must be"),
            (todo.replacing("-0.5", with: "1e300"), "position must be"),
            (todo.replacing("-0.5", with: "null"), "position must not be null"),
            (todo.replacing("10:00:00Z", with: "10:00:00+09:00"), "updatedAt must look like"),
            (todo.replacing("T09:00", with: "T24:00"), "createdAt must look like"),
            (todo.replacing("2026-11-20\",", with: "2026-02-29\","), "date must be"),
            (String(todo.dropLast()) + #","time":"9:30"}"#, "time must be"),
            (String(todo.dropLast()) + #","time":null}"#, "time must not be null"),
            (todo.replacing("inProgress", with: "burnt"), "'status' has a wrong type or value"),
            (todo.replacing("\"detail\"", with: "\"details\""), "no field 'details'"),
            (todo.replacing("\"revision\":57", with: "\"revision\":57,\"micros\":0"), "micros must be"),
            (#"{"profile":{"uid":"alice","fields":{},"field":{}}}"#, "no field 'field'"),
            (#"{"profile":{"uid":"alice","fields":{}},"uid":"alice"}"#, "no field 'uid'"),
            (#"{"link":{"uid":"alice","with":"bob","list":"blocked","at":1,"state":"following"}}"#, "no field 'state'"),
            (#"{"link":{"uid":"alice","with":"bob","list":"blocked","at":1,"since":1}}"#, "no field 'since'"),
            (#"{"link":{"uid":"alice","with":"bob","list":"blocked","at":1},"at":1}"#, "no field 'at'"),
            (#"{"profile":{"uid":"a b","fields":{}}}"#, "uid must be"),
            (#"{"profile":{"uid":"alice","fields":{"password":"secret"}}}"#, "argon2id"),
            (#"{"profile":{"uid":"alice","fields":{"a b":"x"}}}"#, "no field 'a b'"),
            (#"{"profile":{"uid":"alice","fields":{"audiance":"public"}}}"#, "no field 'audiance'"),
            (#"{"profile":{"uid":"alice","fields":{"password":"$argon2id$a\nb"}}}"#, "one line"),
            (#"{"profile":{"uid":"alice","fields":{"audience":"all"}}}"#, "audience must be"),
            (#"{"profile":{"uid":"alice","fields":{"feedSeen":"now"}}}"#, "feedSeen must be"),
            (#"{"profile":{"uid":"alice","fields":{"face":"ok"}}}"#, "face must be one emoji"),
            (#"{"profile":{"uid":"alice","fields":{"name":" "}}}"#, "name must be one line"),
            (#"{"link":{"uid":"alice","with":"alice","list":"blocked","at":1}}"#, "two users"),
            (#"{"link":{"uid":"alice","with":"b b","list":"blocked","at":1}}"#, "uid must be"),
            (#"{"link":{"uid":"alice","with":"bob","list":"blocked"}}"#, "at must be"),
            (#"{"link":{"uid":"alice","with":"bob","list":"following","at":1}}"#, "state and position"),
            (#"{"link":{"uid":"alice","with":"bob","list":"reactions","todo":"t1","emoji":"ok"}}"#, "one emoji"),
            (#"{"link":{"uid":"alice","with":"bob","list":"friends","at":1}}"#, "wrong type or value"),
            (#"{"profile":{"uid":"alice"}}"#, "missing"), (#"{"profile":1}"#, "wrong type"),
            (todo + String(repeating: " ", count: 262_144), "more than the 262144"), (todo + todo, "not JSON"),
        ]
    )
    func refusals(text: String, reason: String) throws {
        let error = #expect(throws: TodoError.self) { try ArchiveLine(Array(text.utf8)) }
        #expect(try #require(error).description.contains(reason), "\(error?.description ?? "")")
    }

    @Test("is refused when it is not UTF-8, or has a zero byte")
    func bytes() {
        for byte: UInt8 in [0xFF, 0] {
            #expect(throws: TodoError.self) {
                try ArchiveLine(Array(Self.todo.utf8).map { $0 == UInt8(ascii: "b") ? byte : $0 })
            }
        }
    }

    @Test("A stored todo keeps its bytes; one that was written by hand gets the usual spelling")
    func stored() throws {
        let todo = Array(Self.todo.utf8)
        #expect(StoredTodo(todo, id: "t1", uid: "alice")?.json == todo)
        #expect(StoredTodo(todo, id: "t2", uid: "alice") == nil && StoredTodo(todo, id: nil, uid: "bob") == nil)
        #expect(StoredTodo([0x20] + todo, id: "t1", uid: "alice")?.json == todo)
        #expect(StoredTodo(Array("garbage".utf8), id: nil, uid: "alice") == nil)
    }
}
