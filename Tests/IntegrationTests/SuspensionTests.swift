import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// Somebody whom an operator keeps out, at every door of two workers.
@Suite("A suspended account", .serialized)
@LoopActor
struct SuspensionTests {
    nonisolated private static let other = "other-\(GatewayProcess.unutterable)"

    private func withAlice(
        _ backing: Backing,
        _ body: @LoopActor ([any HTTPGateway], SignedInClient) async throws -> Void
    ) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let root = try await gateways[0].signInOperator()
            try await gateways[0].giveAccount("alice")
            try await body(gateways, root)
        }
    }

    private func suspend(_ gateway: any HTTPGateway, _ root: SignedInClient) async throws {
        let answer = try await gateway.operate(
            "POST /v1/operator/users/alice/suspend",
            root.bearer,
            #"{"reason":"Too \"loud\" <b>here</b>"}"#
        )
        let shown = try answer.read(ShownAccount.self)
        #expect(shown.suspended != nil && shown.reason == "Too \"loud\" <b>here</b>", "\(answer.text)")
    }

    @Test("has no session that opens anything, until it is resumed; then all of them do", arguments: Backing.allCases)
    func sessions(_ backing: Backing) async throws {
        try await withAlice(backing) { gateways, root in
            let alice = try await gateways[0].signIn("alice")
            let wish = #"{"name":"a program","scope":"write","days":1}"#
            let made = try await gateways[0].ask("POST /v1/users/alice/tokens", alice.bearer, body: wish)
            let token = try #require(made.body.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) })
            let ways = [alice.bearer, ["Cookie: todomate_session=\(alice.text)"], ["Authorization: Bearer \(token)"]]
            func statuses(_ line: String = "GET /v1/users/alice/todos") async throws -> Set<Int?> {
                var statuses: Set<Int?> = []
                for gateway in gateways {
                    for fields in ways { statuses.insert(try await gateway.ask(line, fields).status) }
                }
                return statuses
            }
            #expect(try await statuses() == [200])
            var streams: [RawConnection] = []
            for gateway in gateways {
                for fields in ways {
                    let stream = try RawConnection(port: gateway.port)
                    let lines = ["GET /v1/users/alice/changes HTTP/1.1", "Host: h"] + fields
                    stream.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                    streams.append(stream)
                }
            }
            try await eventually("all streams are open") { streams.allSatisfy { $0.text.contains("event: snapshot") } }
            try await suspend(gateways[0], root)
            for stream in streams { await stream.waitUntilEnded() }
            try await eventually("no session opens anything") { try await statuses() == [401] }
            let write = try await gateways[1].ask(
                "POST /v1/users/alice/todos",
                alice.bearer,
                body: #"{"content":"x","date":"2026-11-20"}"#
            )
            #expect(write.status == 401)
            let resumed = try await gateways[1].operate("POST /v1/operator/users/alice/resume", root.bearer)
            #expect(resumed.status == 200)
            try await eventually("all sessions are good again") { try await statuses() == [200] }
        }
    }

    @Test("is told of only to whoever knows the password, or holds a sign-in", arguments: Backing.allCases)
    func telling(_ backing: Backing) async throws {
        try await withAlice(backing) { gateways, root in
            let (held, ended) = (try await gateways[0].signIn("alice"), try await gateways[0].signIn("alice"))
            try await gateways[0].write("DELETE /v1/session", with: ended.bearer)
            try await suspend(gateways[1], root)
            for gateway in gateways {
                let right = try await gateway.trySigningIn("alice")
                #expect(right.status == 403 && right.kind == "suspended", "\(right.text)")
                #expect(right.body.contains(#""reason":"Too \"loud\" <b>here</b>""#))
                #expect(right.fields("Set-Cookie").isEmpty)
                let wrong = try await gateway.trySigningIn("alice", "wrong-\(GatewayProcess.unutterable)")
                let unknown = try await gateway.trySigningIn("nobody-here")
                #expect(wrong.status == 401 && wrong.body == unknown.body)
                let told = try await gateway.ask("GET /v1/session", "Cookie: todomate_session=\(held.text)")
                #expect(told.body.contains(#""suspended":{"at":"#) && !told.body.contains(#""uid""#), "\(told.body)")
                for fields in [["Cookie: todomate_session=\(ended.text)"], [], ["Cookie: todomate_session=nonsense"]] {
                    let silent = try await gateway.ask("GET /v1/session", fields)
                    #expect(silent.status == 200 && !silent.body.contains("suspended"), "\(silent.body)")
                }
            }
            _ = try await gateways[0].operate("POST /v1/operator/users/alice/resume", root.bearer)
            let events = try await gateways[0].ask("GET /v1/users/alice/events", held.bearer)
            #expect(events.body.contains(#""kind":"suspended","by":"root","reason":"Too \"loud\""#), "\(events.body)")
            #expect(events.body.contains(#""kind":"resumed","by":"root""#))
        }
    }

    @Test("is entered by no link for a password and by no invitation of it", arguments: Backing.allCases)
    func links(_ backing: Backing) async throws {
        try await withAlice(backing) { gateways, root in
            let code = LinkCode(of: "alice", for: .reset)
            try await gateways[0].withStores { stores in
                try await stores.resets.offerReset(code.digest(for: .reset), of: "alice", seconds: 3600)
            }
            let alice = try await gateways[0].signIn("alice")
            let invitation = try await gateways[0].ask(
                "POST /v1/users/alice/invitations",
                alice.bearer,
                body: #"{"uses":3,"seconds":3600}"#
            ).read(MadeInvitation.self)
            try await suspend(gateways[0], root)
            let secret = try #require(code.text.split(separator: ".").last.map(String.init))
            func reset(_ secret: String) async throws -> Answer {
                let body = #"{"user":"alice","secret":"\#(secret)","password":"\#(Self.other)"}"#
                return try await gateways[1].ask("POST /v1/password-reset", body: body)
            }
            let held = try await reset(secret)
            #expect(held.status == 403 && held.kind == "suspended" && held.fields("Set-Cookie").isEmpty, "\(held.text)")
            let stranger = try await reset(String(secret.reversed()))
            #expect(stranger.status == 404)
            let looked = try await gateways[1].look(at: invitation.invitation)
            let joined = try await gateways[1].join("newcomer", by: invitation.invitation)
            #expect([looked.status, joined.status] == [404, 404])
            _ = try await gateways[0].operate("POST /v1/operator/users/alice/resume", root.bearer)
            let (now, come) = (
                try await reset(secret), try await gateways[1].join("newcomer", by: invitation.invitation)
            )
            #expect([now.status, come.status] == [201, 201], "\(now.text) \(come.text)")
        }
    }

    @Test("takes no write once that is answered, of those that come all the time", arguments: Backing.allCases)
    func writing(_ backing: Backing) async throws {
        try await withAlice(backing) { gateways, root in
            let alice = try await gateways[1].signIn("alice")
            let writers = (0..<4).map { _ in
                Task { @LoopActor in
                    var statuses: [Int?] = []
                    while statuses.last != 401, statuses.count < 2000 {
                        let body = #"{"content":"x","date":"2026-11-20"}"#
                        let answer = try await gateways[1].ask("POST /v1/users/alice/todos", alice.bearer, body: body)
                        statuses.append(answer.status)
                    }
                    return statuses
                }
            }
            try await eventually("some writes are through") {
                let shown = try await gateways[0].operate("GET /v1/operator/users?prefix=alice", root.bearer)
                return try shown.read(ShownAccounts.self).users.first?.todos ?? 0 > 3
            }
            try await suspend(gateways[0], root)
            for writer in writers {
                let statuses = try await writer.value
                #expect(statuses.last == 401 && Set(statuses).isSubset(of: [201, 401, 429]), "\(Set(statuses))")
            }
        }
    }

    @Test("has what an operator allows it, over all workers, until that is taken back", arguments: RedisKind.allCases)
    func limits(_ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind, "--write-rate", "20") { _, workers in
            let root = try await workers[0].signInOperator()
            let alice = try await workers[0].signIn("alice")
            let limits = #"{"todos":5,"tokens":0,"writes":4}"#
            let limited = try await workers[1].operate("PUT /v1/operator/users/alice/limits", root.bearer, limits)
            #expect(try limited.read(ShownAccount.self).limits == ["todos": 5, "tokens": 0, "writes": 4])
            let wish = #"{"name":"x","scope":"read","days":1}"#
            let token = try await workers[0].ask("POST /v1/users/alice/tokens", alice.bearer, body: wish)
            #expect(token.status == 422 && token.kind == "full", "\(token.text)")
            func add(_ worker: GatewayProcess) async throws -> Int? {
                let todo = #"{"content":"x","date":"2026-11-20"}"#
                return try await worker.ask("POST /v1/users/alice/todos", alice.bearer, body: todo).status
            }
            // A worker believes for half a second what it has read of somebody whom nobody follows there.
            try await eventually("the limit counts") { try await add(workers[0]) == 429 }
            try await eventually("it counts at the other worker as well") { try await add(workers[1]) == 429 }
            try await workers[0].withStores { stores in
                let todos = try await stores.operators.summaries(of: ["alice"]).first?.todos ?? 0
                #expect((1...5).contains(todos))
            }
            let reset = try await workers[0].operate("PUT /v1/operator/users/alice/limits", root.bearer, "{}")
            #expect(try reset.read(ShownAccount.self).limits == nil)
            for worker in workers { try await eventually("all is as before") { try await add(worker) == 201 } }
        }
    }
}
