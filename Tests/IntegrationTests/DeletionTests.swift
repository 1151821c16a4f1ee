import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

@Suite("Deleting one's own account over HTTP", .serialized)
@LoopActor
struct DeletionTests {
    private static let path = "/v1/users/alice/deletion"
    private static let body = JSONObject(["password": GatewayProcess.password]).text

    private func relation(_ gateway: any HTTPGateway, _ client: SignedInClient) async throws -> String {
        try await gateway.ask("GET /v1/users/bob/following", client.bearer).body
    }

    @Test("shows its owner as gone at once, and is undone while there is time", arguments: Backing.allCases)
    func undone(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let (here, there) = (gateways[0], gateways[1])
            for uid in ["alice", "bob"] { try await here.giveAccount(uid) }
            let (alice, elsewhere) = (try await here.signIn("alice"), try await there.signIn("alice"))
            let bob = try await there.signIn("bob")
            try await here.write("PUT /v1/users/bob/following/alice", with: bob.bearer)
            try await here.write("PUT /v1/users/alice/followers/bob", with: alice.cookie)
            let todo = #"{"id":"milk","content":"Milk","date":"2026-11-20","visibility":"public"}"#
            #expect(try await here.ask("POST /v1/users/alice/todos", alice.bearer, body: todo).status == 201)
            #expect(try await here.ask("POST /v1/users/bob/todos", bob.bearer, body: todo).status == 201)
            let cheer = "PUT /v1/users/bob/todos/milk/reactions/alice"
            #expect(try await here.ask(cheer, alice.bearer, body: #"{"emoji":"🎉"}"#).status == 200)
            let stream = try RawConnection(port: there.port)
            stream.send("GET /v1/changes?users=alice HTTP/1.1\r\nHost: h\r\n\(bob.bearer[0])\r\n\r\n")
            try await eventually("bob sees her") { stream.text.contains("Milk") }
            let before = try await here.ask("GET \(Self.path)", alice.cookie)
            #expect(before.status == 200 && before.body == #"{"graceSeconds":604800}"#)
            #expect(try await here.ask("DELETE \(Self.path)", alice.cookie).status == 404, "nothing to undo")

            let begun = try await here.ask("POST \(Self.path)", alice.cookie, body: Self.body)
            #expect(begun.status == 202 && begun.body.contains(#""due":"20"#), "\(begun.text)")
            #expect(try await here.ask("GET \(Self.path)", alice.cookie).body == begun.body)
            let again = try await here.ask("POST \(Self.path)", alice.cookie, body: Self.body)
            #expect(again.status == 202 && again.body == begun.body, "said twice, it is no sooner")
            try await eventually("the other sign-in is over") {
                try await there.ask("GET /v1/users/alice/todos", elsewhere.bearer).status == 401
            }
            try await eventually("bob's stream has lost her") { stream.text.contains("event: closed") }
            try await eventually("her name looks as if nobody had it") {
                try await relation(there, bob).contains(#""uid":"alice","state":"requested""#)
            }
            for line in [
                "GET /v1/users/alice/todos", "GET /v1/users/alice/todos/milk",
                "PUT /v1/users/alice/todos/milk/reactions/bob",
            ] {
                let body = line.hasPrefix("PUT") ? #"{"emoji":"🎉"}"# : nil
                let answer = try await there.ask(line, bob.bearer, body: body)
                #expect([403, 404].contains(answer.status), "\(line): \(answer.text)")
            }
            let reactions = try await there.ask("GET /v1/users/bob/todos/milk/reactions", bob.bearer)
            #expect(reactions.status == 200 && !reactions.body.contains("alice"))
            // She herself may do nothing but keep it, or take all along.
            for line in [
                "GET /v1/users/alice/todos", "GET /v1/users/alice/profile", "GET /v1/users/alice/changes",
                "GET /v1/changes?users=alice", "GET /v1/users/alice/sessions", "DELETE /v1/users/alice/todos/milk",
                "PUT /v1/users/alice/following/bob", "DELETE /v1/users/alice/followers/bob",
            ] {
                let answer = try await here.ask(line, alice.cookie)
                #expect(answer.status == 403 && answer.body.contains("account-leaving"), "\(line): \(answer.text)")
            }
            let written = try await here.ask("POST /v1/users/alice/todos", alice.cookie, body: todo)
            #expect(written.status == 403 && written.body.contains("account-leaving"))
            #expect(try await here.ask("GET /v1/session", alice.cookie).body.contains(#""leaving":true"#))
            let back = try await there.signIn("alice")
            let archive = try await there.ask("GET /v1/users/alice/archive", back.bearer)
            #expect(archive.status == 200 && archive.body.contains("Milk") && archive.body.hasSuffix("\r\n0\r\n\r\n"))

            #expect(try await there.ask("DELETE \(Self.path)", back.cookie).status == 204)
            #expect(try await there.ask("DELETE \(Self.path)", back.cookie).status == 404)
            try await eventually("bob follows her as before") {
                try await relation(here, bob).contains(#""uid":"alice","state":"following""#)
            }
            try await eventually("all of her sessions may do all again") {
                try await here.ask("GET /v1/users/alice/todos", alice.cookie).status == 200
            }
            #expect(try await there.ask("GET /v1/users/alice/todos/milk", bob.bearer).status == 200)
            #expect(!(try await here.ask("GET /v1/session", alice.cookie).body.contains("leaving")))
            let cheered = try await there.ask("GET /v1/users/bob/todos/milk/reactions", bob.bearer)
            #expect(cheered.body.contains("alice"))
            stream.close()
        }
    }

    @Test("is its owner's alone, with the password", arguments: Backing.allCases)
    func attacks(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            var tokens: [[String]] = []
            for scope in TokenScope.allCases {
                let wish = #"{"name":"x","scope":"\#(scope.rawValue)","days":1}"#
                let answer = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
                tokens.append(try gateway.client(in: answer).bearer)
            }
            let others: [(String, [String], Int)] =
                [
                    ("nobody", [], 401), ("bob", bob.cookie, 403),
                    ("another site", [alice.cookie[0], "Origin: https://evil.example"], 403),
                    ("a page without an origin", [alice.cookie[0]], 403),
                ] + tokens.map { ("a token", $0, 403) }
            for (who, fields, status) in others {
                for line in ["POST", "DELETE"] {
                    let body = line == "POST" ? Self.body : nil
                    let answer = try await gateway.ask("\(line) \(Self.path)", fields, body: body)
                    #expect(answer.status == status && answer.isProblem, "\(who): \(line)")
                }
            }
            for body in ["", "{}", "[]", "{", #"{"password":7}"#, #"{"password":"x","after":0}"#] {
                let answer = try await gateway.ask("POST \(Self.path)", alice.cookie, body: body)
                #expect([400, 415, 422].contains(answer.status ?? 0), "\(body): \(answer.text)")
            }
            #expect(try await gateway.ask("POST \(Self.path)?x=1", alice.cookie, body: Self.body).status == 422)
            // A wrong password counts as a wrong sign-in.
            for _ in 0..<10 {
                let wrong = try await gateway.ask("POST \(Self.path)", alice.cookie, body: #"{"password":"wrong"}"#)
                #expect(wrong.status == 403 && wrong.body.contains("wrong-password"))
            }
            let late = try await gateway.ask("POST \(Self.path)", alice.cookie, body: Self.body)
            #expect(late.status == 429 && !late.fields("Retry-After").isEmpty)
            #expect(try await gateway.ask("GET \(Self.path)", alice.cookie).body == #"{"graceSeconds":604800}"#)
            #expect(try await gateway.ask("GET /v1/users/alice/todos", alice.cookie).status == 200)
        }
    }

    @Test("is final when its time is over, without an operator", arguments: RedisKind.allCases)
    func final(_ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--deletion-grace", "1s") { server, gateway in
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
            let todo = #"{"id":"milk","content":"Milk","date":"2026-11-20","visibility":"public"}"#
            for uid in ["alice", "bob"] {
                let client = uid == "alice" ? alice : bob
                #expect(try await gateway.ask("POST /v1/users/\(uid)/todos", client.bearer, body: todo).status == 201)
                let other = uid == "alice" ? "bob" : "alice"
                try await gateway.write("PUT /v1/users/\(uid)/following/\(other)", with: client.bearer)
                try await gateway.write(
                    "PUT /v1/users/\(other)/followers/\(uid)",
                    with: (uid == "alice" ? bob : alice).bearer
                )
            }
            let react = try await gateway.ask(
                "PUT /v1/users/bob/todos/milk/reactions/alice",
                alice.bearer,
                body: #"{"emoji":"🎉"}"#
            )
            #expect(react.status == 200)
            // Another device keeps writing meanwhile.
            let writing = Task { @LoopActor in
                var statuses: Set<Int?> = []
                for number in 0..<40 {
                    let body = #"{"id":"w\#(number)","content":"x","date":"2026-11-20"}"#
                    statuses.insert(
                        try await gateway.ask("POST /v1/users/alice/todos", alice.bearer, body: body).status
                    )
                }
                return statuses
            }
            let begun = try await gateway.ask("POST \(Self.path)", alice.cookie, body: Self.body)
            #expect(begun.status == 202 && begun.body.hasPrefix(#"{"graceSeconds":1,"#))
            #expect(try await writing.value.isSubset(of: [201, 403, 401]))
            try await eventually("nothing of hers is left") {
                try await server.cli("KEYS", "*alice*").isEmpty
            }
            #expect(try await gateway.ask("DELETE \(Self.path)", alice.cookie).status == 401, "too late")
            let lists = try await gateway.ask("GET /v1/users/bob/following", bob.bearer).body
            #expect(lists == #"{"following":[]}"#)
            let reactions = try await gateway.ask("GET /v1/users/bob/todos/milk/reactions", bob.bearer).body
            #expect(!reactions.contains("alice"))
            try await eventually("no worker waits for her any more") {
                try await server.cli("ZCARD", "todomate:leaving") == "0"
            }
            #expect(try await server.cli("KEYS", "*alice*").isEmpty)
            let doctor = try await server.todomate("doctor", "--json")
            let errors = doctor.output.matches(of: /"severity":"error","topic":"(\w+)"/).map(\.1)
            #expect(errors.isEmpty, "\(doctor.output)")
        }
    }

    @Test(
        "goes on in another worker where one has died, and is found where the index was lost",
        arguments: RedisKind.allCases
    )
    func survives(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(30))
            defer { repository.close() }
            try await repository.prepare()
            let deletions = repository.stores.deletions
            for uid in ["alice", "bob", "carol"] {
                try await repository.stores.sessions.enroll(uid, passwordHash: GatewayProcess.passwordHash)
            }
            try await server.add("alice", "milk")
            _ = try await repository.stores.relations.follow("bob", by: "alice")
            let fill = "for i = 1, 1200 do redis.call('HSET', KEYS[1], 'x' .. i, '{}') end"
            try await server.cli("EVAL", fill, "1", "todomate:{alice}:todos")
            // Died between the index and the mark: nothing comes of it.
            try await server.cli("ZADD", "todomate:leaving", "1", "carol")
            #expect(try await deletions.due() == ["carol"])
            #expect(try await deletions.advance("carol") == false)
            #expect(try await deletions.due().isEmpty)
            #expect(try await repository.stores.sessions.live(of: "carol").generation != nil)
            // Died in the middle of the deletion.
            _ = try await deletions.begin(of: "alice", after: 0, since: nil, keeping: nil)
            _ = try await server.call("todomate_delete_leaving", "alice")
            #expect((Int(try await server.call("todomate_purge", "alice")) ?? 0) > 0)
            #expect(try await server.call("todomate_stay", "alice").hasPrefix("TODOMATE_NOT_FOUND"))
            #expect(try await deletions.due() == ["alice"])
            let other = RedisTodoRepository(server.url, timeout: .seconds(30))
            defer { other.close() }
            #expect(try await other.stores.deletions.advance("alice"))
            #expect(try await server.cli("KEYS", "*alice*").isEmpty)
            // Once more, by one who has not heard: whoever has the name by now loses nothing.
            try await repository.stores.sessions.enroll("alice", passwordHash: GatewayProcess.passwordHash)
            try await server.add("alice", "bread")
            #expect(try await deletions.advance("alice") == false)
            #expect(try await server.cli("HLEN", "todomate:{alice}:todos") == "1")
            // The index was lost.
            _ = try await deletions.begin(of: "bob", after: 3600, since: nil, keeping: nil)
            try await server.cli("DEL", "todomate:leaving")
            let doctor = try await server.todomate("doctor")
            #expect(doctor.ending == .exit(1) && doctor.output.contains("bob has decided"), "\(doctor.output)")
            let repaired = try await server.todomate("doctor", "--repair")
            #expect(repaired.output.contains("bob has decided"))
            #expect(try await deletions.due() == ["bob"])
            // A lease that somebody holds who is dead ends by itself.
            #expect(try await deletions.takeLease())
            #expect(try await deletions.takeLease() == false)
            #expect((Int(try await server.cli("PTTL", "todomate:leaving:lease")) ?? 0) > 0)
            try await deletions.giveLeaseBack()
            #expect(try await deletions.takeLease())
        }
    }

    @Test("is either kept or deleted, whoever comes first", arguments: RedisKind.allCases)
    func race(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let stores = (0..<2).map { _ in RedisTodoRepository(server.url, timeout: .seconds(30)) }
            defer { for store in stores { store.close() } }
            try await stores[0].prepare()
            var outcomes: Set<Bool> = []
            for round in 0..<12 {
                let uid = "user\(round)"
                try await stores[0].stores.sessions.enroll(uid, passwordHash: GatewayProcess.passwordHash)
                try await server.add(uid, "milk")
                _ = try await stores[0].stores.deletions.begin(of: uid, after: 0, since: nil, keeping: nil)
                let purging = Task { @LoopActor in try await stores[0].stores.deletions.advance(uid) }
                let keeping = Task { @LoopActor in
                    if round.isMultiple(of: 2) { await LoopActor.giveWay() }
                    do {
                        try await stores[1].stores.deletions.withdraw(of: uid)
                        return true
                    } catch TodoError.notFound {
                        return false
                    }
                }
                let (isDeleted, isKept) = (try await purging.value, try await keeping.value)
                #expect(isDeleted != isKept)
                outcomes.insert(isKept)
                let todos = try await server.cli("HLEN", "todomate:{\(uid)}:todos")
                #expect(todos == (isKept ? "1" : "0"))
                if isKept { try await server.add(uid, "bread") }
            }
            #expect(!outcomes.isEmpty)
        }
    }

    @Test("is what operators can decide and undo as well", arguments: RedisKind.allCases)
    func commands(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let none = try await server.todomate("user", "leave", "alice")
            #expect(none.ending == .exit(65) && none.errors.contains("alice has no account"))
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            try await repository.stores.sessions.enroll("alice", passwordHash: GatewayProcess.passwordHash)
            try await server.add("alice", "milk")
            let never = try await server.todomate("user", "stay", "alice")
            #expect(never.ending == .exit(65) && never.errors.contains("is not to be deleted"))
            for wrong in ["-1", "8y", "366d", "x", ""] {
                #expect(try await server.todomate("user", "leave", "alice", "--after", wrong).ending == .exit(64))
            }
            let left = try await server.todomate("user", "leave", "alice", "--after", "12h")
            #expect(left.ending == .exit(0) && left.output.contains("deleted on 20"), "\(left.errors)")
            let refused = try await server.todomate("add", "alice", "bread")
            #expect(refused.ending == .exit(65) && refused.errors.contains("todomate user stay"), "\(refused.errors)")
            let export = try await server.todomate("export", "--with-profiles", "alice")
            #expect(export.output.contains("milk") && export.output.contains(#""audience":"followers""#))
            #expect(!export.output.contains("leaving"))
            // Also where the log was lost, which says so otherwise.
            try await server.cli("DEL", "todomate:{alice}:log")
            #expect(try await server.todomate("add", "alice", "bread").errors.contains("todomate user stay"))
            #expect(try await server.todomate("list", "alice").ending == .exit(0))
            let stayed = try await server.todomate("user", "stay", "alice")
            #expect(stayed.ending == .exit(0), "\(stayed.errors)")
            #expect(try await server.todomate("add", "alice", "bread").ending == .exit(0))
            #expect(try await server.todomate("user", "leave", "alice").ending == .exit(0))
            // With and without what is left.
            #expect(try await server.todomate("user", "remove", "alice").ending == .exit(0))
            #expect(try await repository.stores.deletions.deletion(of: "alice").due == nil)
            #expect(try await server.todomate("user", "remove", "--purge", "alice").ending == .exit(0))
            #expect(try await server.cli("KEYS", "todomate:{alice}:*").isEmpty)
            try await repository.stores.sessions.enroll("alice", passwordHash: GatewayProcess.passwordHash)
            let now = try await server.todomate("user", "leave", "alice", "--after", "0")
            #expect(now.ending == .exit(0), "\(now.errors)")
            #expect(try await server.cli("KEYS", "todomate:{alice}:*").isEmpty)
        }
    }
}
