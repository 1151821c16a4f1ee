import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Routines over HTTP", .serialized)
@LoopActor
struct RoutineRouteTests {
    private static let routines = "/v1/users/alice/routines"
    private static let todos = "/v1/users/alice/todos"

    @Test("are made, finished, skipped, split and ended", arguments: Backing.allCases)
    func routes(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            func ask(_ line: String, _ body: String? = nil) async throws -> Answer {
                try await gateway.ask(line, as: "alice", body: body)
            }
            func left() async throws -> [String] {
                let path = "/v1/users/alice/routine-todos?from=2999-01-01&to=2999-01-05&today=2999-01-01"
                let answer = try await ask("GET \(path)")
                struct List: Decodable { var todos: [TodoDTO] }
                let list = try JSONDecoder().decode(List.self, from: Data(answer.body.utf8))
                return list.todos.map { String($0.toModel().date.description.suffix(2)) }
            }
            #expect(try await ask("GET \(Self.routines)").body == #"{"routines":[]}"#)
            let made = try await ask(
                "PUT \(Self.routines)/r1",
                #"{"content":"Run","rule":"FREQ=DAILY;INTERVAL=1","from":"2999-01-01","time":"07:00","visibility":"private"}"#
            )
            let routine =
                #"{"id":"r1","content":"Run","rule":"FREQ=DAILY","from":"2999-01-01","position":1,"time":"07:00","visibility":"private"}"#
            #expect(made.status == 200 && made.body == routine, "\(made.text)")
            #expect(try await ask("GET \(Self.routines)").body == #"{"routines":[\#(routine)]}"#)
            let profile = try await ask("GET /v1/users/alice/profile").body
            #expect(profile.contains(#""feedSeen":0,"routines":[\#(routine)],"following":0"#), "\(profile)")
            #expect(try await left() == ["01", "02", "03", "04", "05"])
            // Finished as any todo is; a second device comes to the same.
            let done = try await ask("PATCH \(Self.todos)/r1--29990101", #"{"status":"complete"}"#)
            #expect(done.status == 200 && done.body.contains(#""content":"Run","detail":"","status":"complete""#))
            #expect(done.body.contains(#""visibility":"private","time":"07:00"}"#), "\(done.text)")
            let again = try await ask("PATCH \(Self.todos)/r1--29990101", #"{"status":"complete"}"#)
            #expect(again.status == 200 && again.body == done.body)
            let whole = try await gateway.ask(
                "PATCH \(Self.todos)/r1--29990101",
                [try GatewayProcess.bearer("alice"), "If-Match: \"0\""],
                body: #"{"content":"x"}"#
            )
            #expect(whole.status == 412, "somebody has made it: \(whole.text)")
            #expect(try await left() == ["02", "03", "04", "05"])
            let skipped = try await ask("PUT \(Self.routines)/r1/skipped/2999-01-03")
            #expect(skipped.status == 200 && skipped.body.contains(#""made":[29990101,29990103]"#), "\(skipped.text)")
            #expect(try await left() == ["02", "04", "05"])
            #expect(try await ask("DELETE \(Self.routines)/r1/skipped/2999-01-03").status == 200)
            #expect(try await left() == ["02", "03", "04", "05"])
            let split = try await ask(
                "POST \(Self.routines)/r1/split?from=2999-01-03",
                #"{"id":"r2","content":"Swim","time":""}"#
            )
            #expect(split.body.contains(#""rule":"FREQ=DAILY;UNTIL=29990102""#), "\(split.text)")
            #expect(
                split.body.contains(
                    #"{"id":"r2","content":"Swim","rule":"FREQ=DAILY","from":"2999-01-03","position":1,"#
                )
            )
            let ended = try await ask("DELETE \(Self.routines)/r2?from=2999-01-05")
            #expect(ended.status == 200 && ended.body.contains("UNTIL=29990104"), "\(ended.text)")
            #expect(try await left() == ["02", "03", "04"])
            let back = try await ask(
                "POST \(Self.routines)",
                #"{"routines":[{"id":"r2","ended":true},{"id":"r1","rule":"FREQ=DAILY"}]}"#
            )
            #expect(back.status == 200 && !back.body.contains("Swim"), "\(back.text)")
            #expect(try await left() == ["02", "03", "04", "05"])
            #expect(try await ask("DELETE \(Self.routines)/r1").body == #"{"routines":[]}"#)
            #expect(try await left() == [])
            // What was made of it stays.
            #expect(try await ask("GET \(Self.todos)/r1--29990101").status == 200)
        }
    }

    @Test(
        "are split once by two devices at the same moment, and the second sees what became of it",
        arguments: Backing.allCases
    )
    func twoDevices(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let (one, two) = (gateways[0], gateways[1])
            for round in 1...5 {
                let path = "\(Self.routines)/r\(round)"
                let made = try await one.ask(
                    "PUT \(path)",
                    as: "alice",
                    body: #"{"content":"Run","rule":"FREQ=DAILY","from":"2999-01-01"}"#
                )
                #expect(made.status == 200, "\(made.text)")
                func split(_ gateway: any HTTPGateway, _ id: String) async throws -> Answer {
                    try await gateway.ask(
                        "POST \(path)/split?from=2999-01-03",
                        as: "alice",
                        body: #"{"id":"\#(id)","content":"Swim","rule":"FREQ=DAILY","seen":"FREQ=DAILY"}"#
                    )
                }
                async let first = split(one, "a\(round)")
                async let second = split(two, "b\(round)")
                let answers = try await [first, second]
                #expect(answers.map { $0.status ?? 0 }.sorted() == [200, 412], "\(answers.map(\.text))")
                let refused = answers.first { $0.status == 412 }?.body ?? ""
                #expect(
                    refused.contains(
                        #""routine":{"id":"r\#(round)","content":"Run","rule":"FREQ=DAILY;UNTIL=29990102""#
                    ),
                    "\(refused)"
                )
                let stale = try await two.ask("DELETE \(path)?from=2999-01-02&seen=FREQ%3DDAILY", as: "alice")
                #expect(stale.status == 412 && stale.body.contains("UNTIL=29990102"), "\(stale.text)")
                let days = try await two.ask(
                    "GET /v1/users/alice/routine-todos?from=2999-01-01&to=2999-01-05&today=2999-01-01",
                    as: "alice"
                )
                #expect(days.body.matches(of: #/"id":/#).count == 5 * round, "\(days.text)")
            }
        }
    }

    @Test("are nobody else's, and refuse what they cannot be")
    func refusals() async throws {
        try await withGateways(on: .memory) { gateways in
            let gateway = gateways[0]
            let sound = #"{"content":"x","rule":"FREQ=DAILY","from":"2999-01-01"}"#
            for (line, who, body, status) in [
                ("GET \(Self.routines)", "bob", nil, 403), ("PUT \(Self.routines)/r1", "bob", sound, 403),
                ("POST \(Self.routines)", "bob", #"{"routines":[]}"#, 403),
                ("DELETE \(Self.routines)/r1", "bob", nil, 403),
                ("POST \(Self.routines)/r1/split?from=2999-01-01", "bob", "{}", 403),
                ("PUT \(Self.routines)/r1/skipped/2999-01-01", "bob", nil, 403),
                ("DELETE \(Self.routines)/r1/skipped/2999-01-01", "bob", nil, 403),
                ("GET /v1/users/alice/routine-todos?from=2999-01-01&to=2999-01-01&today=2999-01-01", "bob", nil, 403),
                ("GET /v1/users/alice/routine-todos?from=2999-01-01&to=2999-01-01", "alice", nil, 422),
                ("GET /v1/users/alice/routine-todos?from=2999-01-02&to=2999-01-01&today=2999-01-01", "alice", nil, 422),
                ("GET /v1/users/alice/routine-todos?from=2000-01-02&to=2999-01-01&today=2999-01-01", "alice", nil, 422),
                ("GET \(Self.routines)?x=1", "alice", nil, 422), ("PUT \(Self.routines)/r1", "alice", "{}", 422),
                (
                    "PUT \(Self.routines)/r1", "alice",
                    #"{"id":"r2","content":"x","rule":"FREQ=DAILY","from":"2999-01-01"}"#, 422
                ),
                ("PUT \(Self.routines)/r1", "alice", #"{"content":"x","rule":"FREQ=HOURLY","from":"2999-01-01"}"#, 422),
                ("PUT \(Self.routines)/r1", "alice", #"{"content":"x","rule":"FREQ=DAILY","from":"2999-02-30"}"#, 422),
                ("PUT \(Self.routines)/r1", "alice", #"{"content":"x","rule":7,"from":"2999-01-01"}"#, 422),
                (
                    "PUT \(Self.routines)/r1", "alice",
                    #"{"content":"x","rule":"FREQ=DAILY","from":"2999-01-01","time":"7:00"}"#, 422
                ),
                (
                    "PUT \(Self.routines)/r1", "alice",
                    #"{"content":"x","rule":"FREQ=DAILY","from":"2999-01-01","goal":"g"}"#, 422
                ),
                (
                    "PUT \(Self.routines)/r1", "alice",
                    #"{"content":"x","rule":"FREQ=DAILY","from":"2999-01-01","made":[1.5]}"#, 422
                ),
                (
                    "PUT \(Self.routines)/r1", "alice",
                    #"{"content":"x","rule":"FREQ=DAILY","from":"2999-01-01","visibility":"x"}"#, 422
                ),
                ("PUT \(Self.routines)/r1", "alice", #"{"ended":true}"#, 422),
                ("PUT \(Self.routines)/r1", "alice", #"{"every":1}"#, 422),
                ("PUT \(Self.routines)/a%20b", "alice", sound, 422),
                ("POST \(Self.routines)", "alice", #"{"routines":[]}"#, 422),
                ("POST \(Self.routines)", "alice", #"{"routines":[{"content":"x"}]}"#, 422),
                ("POST \(Self.routines)", "alice", #"{"routines":[{"id":"r1","every":1}]}"#, 422),
                ("POST \(Self.routines)/r1/split?from=2999-01-01", "alice", #"{"id":"r2"}"#, 404),
                ("POST \(Self.routines)/r1/split", "alice", #"{"id":"r2"}"#, 422),
                ("PUT \(Self.routines)/r1/skipped/2999-01-01", "alice", nil, 404),
                ("PUT \(Self.routines)/r1/skipped/today", "alice", nil, 422),
                ("PATCH \(Self.todos)/r1--29990101", "alice", #"{"status":"complete"}"#, 404),
                ("DELETE \(Self.todos)/r1--29990101", "alice", nil, 404),
                ("GET \(Self.todos)/r1--29990101", "alice", nil, 404),
            ] as [(String, String, String?, Int)] {
                let answer = try await gateway.ask(line, as: who, body: body)
                #expect(answer.status == status, "\(line) \(body ?? ""): \(answer.text)")
            }
            #expect(try await gateway.ask("GET \(Self.routines)", as: "alice").body == #"{"routines":[]}"#)
        }
    }

    @Test(
        "do not hide the account, where one of them cannot be read, which the doctor says",
        arguments: RedisKind.allCases
    )
    func unreadable(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let made = try await server.todomate("routine", "add", "alice", "run", "--rule", "FREQ=DAILY")
            #expect(made.ending == .exit(0), "\(made.errors)")
            for (id, text) in [("bad", #"{"id":"bad","content":"x"}"#), ("none", "x"), ("half", #"{"id":"half","#)] {
                try await server.cli("HSET", "todomate:{alice}:routines", id, text)
            }
            let list = try await server.todomate("routine", "list", "alice")
            #expect(list.ending == .exit(0) && list.output.contains("run"), "\(list.errors)")
            let profile = try await server.todomate("profile", "alice")
            #expect(profile.ending == .exit(0), "\(profile.errors)")
            let report = try await server.todomate("doctor")
            #expect(report.output.contains("alice has routines that cannot be read"), "\(report.output)")
        }
    }

    @Test(
        "are told to the owner's streams; others learn of what was made, as far as they may see it",
        arguments: RedisKind.allCases
    )
    func live(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            _ = try await server.todomate("profile", "alice", "--audience", "public", "--visibility", "public")
            let own = try BoardReader(gateway.port, "/v1/users/alice/changes", as: "alice")
            let other = try BoardReader(gateway.port, "/v1/changes?users=alice", as: "bob")
            for reader in [own, other] {
                try await eventually("it has begun") { reader.events.contains { $0.name == "snapshot" } }
            }
            let rule = ["--rule", "FREQ=DAILY"]
            _ = try await server.todomate(["routine", "add", "alice", "Unutterable", "--id", "r1"] + rule)
            _ = try await server.todomate(
                ["routine", "add", "alice", "Secret", "--id", "r2", "--visibility", "private"] + rule
            )
            _ = try await server.todomate(["routine", "add", "alice", "Shared", "--id", "r3"] + rule)
            for name in ["secret", "shared"] {
                let outcome = try await server.todomate("done", "alice", name)
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            }
            _ = try await server.todomate("add", "alice", "witness")
            for reader in [own, other] {
                try await eventually("all before it has come") { reader.shown.contains("witness") }
            }
            for words in ["Unutterable", "Secret", "Shared"] {
                #expect(own.events.contains { $0.data.contains(words) })
                #expect(other.events.contains { $0.data.contains(words) } == (words == "Shared"), "\(words)")
            }
            for reader in [own, other] { reader.close() }
        }
    }
}
