import EventLoop
import Foundation
import TestServers
import Testing

/// Commands and archives are tried on one Redis: what they make of their words is the same whatever Redis there is.
@Suite("Goals over HTTP and by commands", .serialized)
@LoopActor
struct GoalRouteTests {
    private static let goals = "/v1/users/alice/goals"
    private static let todos = "/v1/users/alice/todos"

    @Test("are made, given to todos, and change who sees those", arguments: Backing.allCases)
    func routes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            #expect(try await gateway.ask("GET \(Self.goals)", as: "alice").body == #"{"goals":[]}"#)
            let made = try await gateway.ask(
                "PUT \(Self.goals)/g1",
                as: "alice",
                body: #"{"name":"Work","color":"teal","visibility":"private"}"#
            )
            let goal = #"{"id":"g1","name":"Work","color":"teal","position":1,"visibility":"private","archived":false}"#
            #expect(made.status == 200 && made.body == goal, "\(made.text)")
            #expect(try await gateway.ask("GET \(Self.goals)", as: "alice").body == #"{"goals":[\#(goal)]}"#)
            let profile = try await gateway.ask("GET /v1/users/alice/profile", as: "alice").body
            #expect(profile.contains(#""feedSeen":0,"goals":[\#(goal)],"following":0"#), "\(profile)")

            for (id, visibility) in [("a", ""), ("b", #","visibility":"public""#)] {
                let draft = #"{"id":"\#(id)","content":"x","date":"2026-11-20","goal":"g1"\#(visibility)}"#
                let added = try await gateway.ask("POST \(Self.todos)", as: "alice", body: draft)
                #expect(added.status == 201 && added.body.contains(#","goal":"g1"}"#), "\(added.text)")
                #expect(added.body.contains(#""visibility":"private""#) == (id == "a"))
            }
            let open = #"{"visibility":"public","archived":true}"#
            #expect(try await gateway.ask("PUT \(Self.goals)/g1", as: "alice", body: open).status == 200)
            // What the page shows is that the goal's todos are private.
            let stale = try await gateway.ask("POST \(Self.goals)/g1/spread?visibility=private", as: "alice")
            #expect(stale.status == 412, "\(stale.text)")
            let spread = try await gateway.ask("POST \(Self.goals)/g1/spread?visibility=public", as: "alice")
            #expect(spread.status == 200 && spread.body == #"{"changed":1,"seen":2,"broken":0}"#, "\(spread.text)")
            #expect(try await gateway.ask("GET \(Self.todos)/a", as: "alice").body.contains(#""visibility":"public""#))
            // The whole todo without a goal has none; a part leaves it.
            let patched = try await gateway.ask("PATCH \(Self.todos)/a", as: "alice", body: #"{"content":"y"}"#)
            #expect(patched.body.contains(#""goal":"g1""#))
            let whole = #"{"content":"y","date":"2026-11-20"}"#
            let put = try await gateway.ask("PUT \(Self.todos)/a", as: "alice", body: whole)
            #expect(put.status == 200 && !put.body.contains("goal"))
        }
    }

    @Test("are nobody else's, and refuse what they cannot be", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for (line, who, body, status) in [
                ("GET \(Self.goals)", "bob", nil, 403), ("PUT \(Self.goals)/g1", "bob", #"{"name":"x"}"#, 403),
                ("POST \(Self.goals)/g1/spread", "bob", nil, 403), ("POST \(Self.goals)/g1/spread", "alice", nil, 422),
                ("POST \(Self.goals)/g1/spread?visibility=public", "alice", nil, 422),
                ("POST \(Self.goals)/g1/spread?visibility=all", "alice", nil, 422),
                ("GET \(Self.goals)?x=1", "alice", nil, 422), ("PUT \(Self.goals)/g1", "alice", "{}", 422),
                ("PUT \(Self.goals)/g1", "alice", #"{"name":""}"#, 422),
                ("PUT \(Self.goals)/g1", "alice", #"{"name":"x","colour":"teal"}"#, 422),
                ("PUT \(Self.goals)/g1", "alice", #"{"name":"x","color":"mauve"}"#, 422),
                ("PUT \(Self.goals)/g1", "alice", #"{"name":"x","archived":"yes"}"#, 422),
                ("PUT \(Self.goals)/a%20b", "alice", #"{"name":"x"}"#, 422),
                ("DELETE \(Self.goals)/g1", "bob", nil, 403), ("DELETE \(Self.goals)/a%20b", "alice", nil, 422),
                ("DELETE \(Self.goals)/g1?from=x", "alice", nil, 422),
                ("DELETE \(Self.goals)/g1?to=0", "alice", nil, 422),
                ("POST \(Self.todos)", "alice", #"{"content":"x","date":"2026-11-20","goal":"g1"}"#, 422),
                ("POST \(Self.todos)", "alice", #"{"content":"x","date":"2026-11-20","goal":7}"#, 422),
            ] as [(String, String, String?, Int)] {
                let answer = try await gateway.ask(line, as: who, body: body)
                #expect(answer.status == status, "\(line) \(body ?? ""): \(answer.text)")
            }
            #expect(try await gateway.ask("GET \(Self.goals)", as: "alice").body == #"{"goals":[]}"#)
            for (field, choices) in [
                (
                    #""color":"RED""#,
                    "color must be red, orange, yellow, green, teal, blue, indigo, purple, pink or gray"
                ),
                (#""color":7"#, "color must be red, orange"), (#""archived":"yes""#, "archived must be true or false"),
            ] {
                let answer = try await gateway.ask(
                    "PUT \(Self.goals)/g1",
                    as: "alice",
                    body: #"{"name":"x",\#(field)}"#
                )
                #expect(answer.body.contains(choices), "\(answer.text)")
            }
        }
    }

    @Test("are told to the owner's streams, and to nobody else's", arguments: RedisKind.allCases)
    func live(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            _ = try await server.todomate("profile", "alice", "--audience", "public")
            _ = try await server.todomate("add", "alice", "open", "--visibility", "public")
            let own = try BoardReader(gateway.port, "/v1/users/alice/changes", as: "alice")
            let other = try BoardReader(gateway.port, "/v1/changes?users=alice", as: "bob")
            for reader in [own, other] {
                try await eventually("it has begun") { reader.events.contains { $0.name == "snapshot" } }
            }
            _ = try await server.todomate("goal", "set", "alice", "Unutterable")
            _ = try await server.todomate("add", "alice", "witness", "--visibility", "public", "--goal", "unutterable")
            for reader in [own, other] {
                try await eventually("all before it has come") { reader.shown.contains("witness") }
            }
            #expect(own.events.contains { $0.data.contains("Unutterable") })
            #expect(!other.events.contains { $0.data.contains("Unutterable") })
            for reader in [own, other] { reader.close() }
        }
    }

    @Test("are taken along by an export, and gone with the account")
    func archive() async throws {
        try await withRedis { server in
            for words in [
                ["goal", "set", "alice", "Work \"x\"", "--color", "teal", "--visibility", "private"],
                ["goal", "set", "alice", "Home", "--archived", "yes"],
                ["add", "alice", "x", "--id", "a", "--goal", "Home"],
            ] { #expect(try await server.todomate(words).ending == .exit(0)) }
            let goals = try await server.todomate("goal", "list", "alice", "--json").output
            let export = try await server.todomate("export", "alice", "--with-profiles").output
            #expect(export.contains(#""goals":"[{\"id\":"#) && export.contains(#","goal":""#), "\(export)")
            let file = FileManager.default.temporaryDirectory.appending(path: "goals-\(UUID().uuidString).jsonl")
            try export.write(to: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: file) }
            try await withRedis { other in
                for _ in 1...2 {
                    let outcome = try await other.todomate("import", file.path)
                    #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                    #expect(try await other.todomate("goal", "list", "alice", "--json").output == goals)
                }
                let todo = try await other.todomate("list", "alice", "--json").output
                #expect(todo.contains(#""visibility":"followers","goal":""#), "\(todo)")
                let wrong = export.replacing("teal", with: "mauve")
                try wrong.write(to: file, atomically: true, encoding: .utf8)
                let refused = try await other.todomate("import", file.path)
                #expect(refused.ending == .exit(65) && refused.errors.contains("list of goals"), "\(refused.errors)")
            }
            #expect(try await server.todomate("user", "remove", "alice", "--purge").ending == .exit(0))
            #expect(try await server.cli("KEYS", "todomate:{alice}*") == "")
        }
    }

    @Test("are removed and put in order", arguments: Backing.allCases)
    func removal(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for id in ["g1", "g2"] {
                _ = try await gateway.ask(
                    "PUT \(Self.goals)/\(id)",
                    as: "alice",
                    body: #"{"name":"\#(id)","visibility":"private"}"#
                )
                let draft = #"{"id":"of-\#(id)","content":"x","date":"2026-11-20","goal":"\#(id)"}"#
                _ = try await gateway.ask("POST \(Self.todos)", as: "alice", body: draft)
            }
            let removed = try await gateway.ask("DELETE \(Self.goals)/g1", as: "alice")
            #expect(removed.status == 200 && removed.body == #"{"changed":1,"seen":2,"broken":0}"#, "\(removed.text)")
            #expect(
                try await gateway.ask("DELETE \(Self.goals)/g1", as: "alice").body
                    == #"{"changed":0,"seen":2,"broken":0}"#
            )
            let todo = try await gateway.ask("GET \(Self.todos)/of-g1", as: "alice").body
            #expect(!todo.contains("goal") && todo.contains(#""visibility":"private""#), "\(todo)")
            #expect(try await gateway.ask("GET \(Self.todos)/of-g2", as: "alice").body.contains(#""goal":"g2""#))
            let goals = try await gateway.ask("GET \(Self.goals)", as: "alice").body
            #expect(goals.contains("g2") && !goals.contains("g1"))
        }
    }

    @Test("are removed and put in order by commands, and a todo comes back without one that is gone")
    func removalByCommand() async throws {
        try await withRedis { server in
            func names() async throws -> [String] {
                let lines = try await server.todomate("goal", "list", "alice").output.split(separator: "\n")
                return lines.map { String($0.split(separator: " ").last ?? "") }
            }
            for name in ["A", "B", "C"] { _ = try await server.todomate("goal", "set", "alice", name) }
            for (words, order) in [
                (["C", "--before", "A"], ["C", "A", "B"]), (["C", "--after", "a"], ["A", "C", "B"]),
                (["A", "--after", "B"], ["C", "B", "A"]), (["A", "--after", "B"], ["C", "B", "A"]),
            ] {
                let outcome = try await server.todomate(["goal", "move", "alice"] + words)
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                #expect(try await names() == order, "\(words)")
            }
            let words = ["add", "alice", "x", "--id", "todo-of-a-goal", "--goal", "B", "--json"]
            let added = try #require(try await server.todomate(words).output.firstMatch(of: /"revision":(\d+)/)?.1)
            let removed = try await server.todomate("goal", "remove", "alice", "b")
            #expect(removed.ending == .exit(0) && removed.errors == "todomate: 1 todo changed\n", "\(removed.errors)")
            #expect(try await names() == ["C", "A"])
            let back = try await server.todomate("recover", "alice", "todo-of-a-goal", "--to", String(added))
            #expect(back.ending == .exit(0), "\(back.errors)")
            let list = try await server.todomate("list", "alice", "--all", "--json").output
            #expect(list.contains("todo-of-a-goal") && !list.contains("goal\":"), "\(list)")
            for (words, reason) in [
                (["remove", "alice", "B"], "has no goal 'B'"),
                (["move", "alice", "C"], "give one of --before and --after"),
                (["move", "alice", "C", "--before", "A", "--after", "A"], "give one of"),
                (["move", "alice", "C", "--before", "C"], "beside itself"),
                (["move", "alice", "C", "--before", "B"], "no goal 'B'"),
            ] {
                let refused = try await server.todomate(["goal"] + words)
                #expect(refused.ending != .exit(0) && refused.errors.contains(reason), "\(words): \(refused.errors)")
            }
            #expect(try await names() == ["C", "A"])
        }
    }

    @Test("are read from the text of 'add', and count less than --goal")
    func quickAdd() async throws {
        try await withRedis { server in
            for name in ["Work", "집안일", "Side project", "Old"] {
                _ = try await server.todomate("goal", "set", "alice", name)
            }
            _ = try await server.todomate("goal", "set", "alice", "Old", "--archived", "yes")
            _ = try await server.todomate("goal", "set", "alice", "Work", "--visibility", "private")
            func add(_ words: String...) async throws -> (
                content: String, goal: String?, visibility: String, said: String
            ) {
                struct Added: Decodable {
                    var content: String
                    var goal: String?
                    var visibility: String
                }
                let outcome = try await server.todomate(["add", "alice", "--json"] + words)
                let todo = try JSONDecoder().decode(Added.self, from: Data(outcome.output.utf8))
                return (todo.content, todo.goal, todo.visibility, outcome.errors)
            }
            let work = try await add("report #work tomorrow")
            #expect(work.content == "report" && work.goal != nil && work.visibility == "private")
            #expect(work.said.contains("read \"#work\" as Work, \"tomorrow\" as "), "\(work.said)")
            #expect(try await add("빨래 #집안일").content == "빨래")
            #expect(try await add("write #side project").content == "write")
            for text in ["report #old", "report #nothing", "#work"] {
                let todo = try await add(text)
                #expect(todo.content == text && todo.goal == nil && todo.said.isEmpty, "\(text)")
            }
            let kept = try await add("report #work", "--as-is")
            #expect(kept.content == "report #work" && kept.goal == nil)
            let other = try await add("report #work", "--goal", "집안일")
            #expect(other.content == "report #work" && other.goal != work.goal)
            #expect(try await add("report #work", "--goal", "").goal == nil)
        }
    }

    @Test("are made, listed and given to todos by commands")
    func commands() async throws {
        try await withRedis { server in
            func say(_ words: String...) async throws -> String {
                let outcome = try await server.todomate(words)
                try #require(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return outcome.output
            }
            #expect(try await say("goal", "list", "alice") == "")
            let made = try await say("goal", "set", "alice", "Work", "--color", "teal", "--visibility", "private")
            #expect(made.contains("teal    private    Work\n"))
            let id = String(try #require(made.split(separator: " ").first))
            #expect(
                try await say("add", "alice", "x", "--id", "a", "--goal", "work", "--json").contains(
                    #""visibility":"private","goal":"\#(id)""#
                )
            )
            _ = try await say("add", "alice", "y", "--id", "b")
            #expect(
                try await say("edit", "alice", "b", "--goal", id, "--json").contains(
                    #""visibility":"followers","goal":"\#(id)""#
                )
            )
            #expect(try await say("edit", "alice", "b", "--goal", "", "--json").contains("goal") == false)
            _ = try await say("edit", "alice", "b", "--goal", "Work")
            let outcome = try await server.todomate("goal", "set", "alice", id, "--visibility", "public", "--existing")
            #expect(outcome.ending == .exit(0) && outcome.errors.contains("2 todos changed"), "\(outcome.errors)")
            #expect(
                try await say("list", "alice", "--json").split(separator: "\n").allSatisfy {
                    $0.contains(#""visibility":"public""#)
                }
            )
            #expect(try await say("goal", "set", "alice", "Work", "--archived", "yes").hasSuffix("Work  (archived)\n"))
            #expect(
                try await say("goal", "list", "alice", "--json").hasPrefix(
                    #"{"id":"\#(id)","name":"Work","color":"teal""#
                )
            )
            for (words, code) in [
                (["add", "alice", "z", "--goal", "nothing"], Int32(65)),
                (["edit", "alice", "a", "--goal", "nothing"], 65),
                (["goal", "set", "alice", ""], 65), (["goal", "set", "alice", "Work", "--color", "mauve"], 64),
            ] {
                let refused = try await server.todomate(words)
                #expect(refused.ending == .exit(code), "\(words): \(refused.errors)")
            }
        }
    }
}
