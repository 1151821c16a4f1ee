import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// Everybody who is no operator, at every route of operators.
@Suite("What operators may do", .serialized)
@LoopActor
struct OperatorAttackTests {
    nonisolated private static let routes: [(line: String, body: String?)] = [
        ("GET /v1/operator", nil), ("GET /v1/operator/users", nil),
        ("POST /v1/operator/users/bob/suspend", #"{"reason":"x"}"#), ("POST /v1/operator/users/bob/resume", nil),
        ("PUT /v1/operator/users/bob/limits", #"{"todos":1}"#),
        ("PUT /v1/operator/announcement", #"{"text":"hello"}"#), ("DELETE /v1/operator/announcement", nil),
    ]

    @Test("nobody else may, by whatever they show", arguments: Backing.allCases)
    func nobodyElse(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let gateway = gateways[0]
            let root = try await gateway.signInOperator()
            for uid in ["alice", "bob"] { try await gateway.giveAccount(uid) }
            let alice = try await gateway.signIn("alice")
            let wish = #"{"name":"a program","scope":"write","days":1}"#
            let made = try await gateway.ask("POST /v1/users/root/tokens", root.bearer, body: wish)
            let token = try #require(made.body.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) })
            let cookie = ["Cookie: todomate_session=\(root.text)"]
            for (line, body) in Self.routes {
                let isWrite = !line.hasPrefix("GET")
                let cases: [(fields: [String], status: Int)] = [
                    ([], 401), (["Authorization: Bearer nonsense"], 401), (alice.bearer, 403), (alice.cookie, 403),
                    (["Authorization: Bearer \(token)"], 403), (cookie + ["Origin: https://evil.example"], 403),
                    (cookie, isWrite ? 403 : 200), (root.bearer, line.hasPrefix("DELETE") ? 204 : 200),
                ]
                for (fields, status) in cases where !isWrite || status >= 400 {
                    let answer = try await gateway.operate(line, fields, body)
                    #expect(answer.status == status, "\(line) \(fields): \(answer.text)")
                    #expect(status < 400 || answer.isProblem)
                }
            }
            try await gateway.expectNothingDecided(about: "bob")
        }
    }

    @Test(
        "ends where the role is taken away, while the page is open, and with a suspension",
        arguments: Backing.allCases
    )
    func takenAway(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let root = try await gateways[0].signInOperator()
            try await gateways[0].giveAccount("bob")
            for gateway in gateways {
                let answer = try await gateway.operate("GET /v1/operator", ["Cookie: todomate_session=\(root.text)"])
                #expect(answer.status == 200, "\(answer.text)")
            }
            try await gateways[0].withStores { try await $0.operators.setRole(nil, of: "root") }
            for gateway in gateways {
                for (line, body) in Self.routes {
                    let answer = try await gateway.operate(line, root.bearer, body)
                    #expect(answer.status == 403, "\(line): \(answer.text)")
                }
            }
            try await gateways[0].withStores { stores in
                try await stores.operators.setRole(.operator, of: "root")
                try await stores.operators.suspend("root", for: "", by: nil)
            }
            try await eventually("no session of theirs opens anything") {
                var statuses: [Int?] = []
                for gateway in gateways {
                    statuses.append(try await gateway.operate("GET /v1/operator", root.bearer).status)
                }
                return statuses == [401, 401]
            }
        }
    }

    @Test("neither themselves nor one another, nor who is not there", arguments: Backing.allCases)
    func targets(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let root = try await gateway.signInOperator()
            _ = try await gateway.signInOperator("other")
            let cases = [("root", 403), ("other", 403), ("nobody-here", 404), ("a%20b", 422), ("%00", 404)]
            for (uid, status) in cases {
                let answer = try await gateway.operate("POST /v1/operator/users/\(uid)/suspend", root.bearer)
                #expect(answer.status == status && answer.isProblem, "\(uid): \(answer.text)")
            }
            // Their own limits they may.
            for (uid, status) in [("root", 200), ("other", 403)] {
                let line = "PUT /v1/operator/users/\(uid)/limits"
                let answer = try await gateway.operate(line, root.bearer, #"{"tokens":1}"#)
                #expect(answer.status == status, "\(uid): \(answer.text)")
            }
            for uid in ["nobody-here", "a%20b"] {
                for line in ["POST /v1/operator/users/\(uid)/resume", "PUT /v1/operator/users/\(uid)/limits"] {
                    let answer = try await gateway.operate(line, root.bearer)
                    #expect([404, 422].contains(answer.status), "\(line): \(answer.text)")
                }
            }
            let here = try await gateway.operate("GET /v1/operator", root.bearer)
            #expect(here.status == 200)
        }
    }

    @Test(
        "nothing that is out of bounds",
        arguments: [
            ("POST /v1/operator/users/bob/suspend", #"{"reason":"two\nlines"}"#),
            ("POST /v1/operator/users/bob/suspend", #"{"why":"x"}"#),
            ("POST /v1/operator/users/bob/suspend", #"{"reason":7}"#),
            ("POST /v1/operator/users/bob/suspend", #"{"reason":"a\u202eb"}"#),
            ("POST /v1/operator/users/bob/suspend", "{\"reason\":\"\(String(repeating: "x", count: 201))\"}"),
            ("PUT /v1/operator/users/bob/limits", #"{"bytes":-1}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"bytes":1073741825}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"bytes":1.5}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"bytes":"1"}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"bytes":null}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"writes":0}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"todos":1e300}"#),
            ("PUT /v1/operator/users/bob/limits", #"{"size":1}"#),
            ("PUT /v1/operator/announcement", "{}"), ("PUT /v1/operator/announcement", #"{"text":""}"#),
            ("PUT /v1/operator/announcement", #"{"text":"  "}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a\u0007b"}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a\nb"}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a\u2028b"}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a\u202eb"}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a","ko":""}"#),
            ("PUT /v1/operator/announcement", "{\"text\":\"\(String(repeating: "x", count: 281))\"}"),
            ("PUT /v1/operator/announcement", #"{"text":"a","level":"loud"}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a","hours":0}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a","hours":721}"#),
            ("PUT /v1/operator/announcement", #"{"text":"a","id":"x"}"#),
        ]
    )
    func bounds(_ line: String, _ body: String) async throws {
        try await withGateways(on: .memory) { gateways in
            let root = try await gateways[0].signInOperator()
            try await gateways[0].giveAccount("bob")
            let answer = try await gateways[0].operate(line, root.bearer, body)
            #expect(answer.status == 422 && answer.isProblem, "\(answer.text)")
            try await gateways[0].expectNothingDecided(about: "bob")
        }
    }

    @Test("pages of accounts have an order and an end, and forged places are refused", arguments: Backing.allCases)
    func pages(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let root = try await gateway.signInOperator()
            let names = (100..<220).map { "user\($0)" }
            try await gateway.withStores { stores in
                for uid in names { try await stores.sessions.enroll(uid, passwordHash: "$nobody-knows-it") }
                try await stores.operators.suspend("user150", for: "x", by: nil)
            }
            var (found, after) = ([String](), "")
            repeat {
                let page = try await gateway.operate("GET /v1/operator/users?prefix=user&after=\(after)", root.bearer)
                    .read(ShownAccounts.self)
                #expect(page.users.count <= 50)
                found += page.users.map(\.uid)
                after = page.next ?? ""
            } while !after.isEmpty
            #expect(found == names)
            for (query, expected) in [
                ("prefix=user15", (150..<160).map { "user\($0)" }),
                ("prefix=user15&after=user157", ["user158", "user159"]),
                ("only=suspended", ["user150"]), ("only=operators", ["root"]), ("prefix=zzz", []), ("after=zzz", []),
                ("prefix=user21&after=a", (210..<220).map { "user\($0)" }), ("prefix=user21&after=zzz", []),
            ] {
                let page = try await gateway.operate("GET /v1/operator/users?\(query)", root.bearer).read(
                    ShownAccounts.self
                )
                #expect(page.users.map(\.uid) == expected && page.next == nil, "\(query)")
            }
            let long = String(repeating: "x", count: 65)
            for query in [
                "after=a%20b", "after=%00", "after=\(long)", "prefix=*", "prefix=%7B", "only=none", "cursor=1",
            ] {
                let answer = try await gateway.operate("GET /v1/operator/users?\(query)", root.bearer)
                #expect(answer.status == 422, "\(query): \(answer.text)")
            }
        }
    }

    @Test("shows how much there is, and nothing of what there is", arguments: Backing.allCases)
    func tellsNothing(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let gateway = gateways[0]
            let root = try await gateway.signInOperator()
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            let todo = #"{"content":"a secret thing","date":"2026-11-20","visibility":"private"}"#
            let added = try await gateway.ask("POST /v1/users/alice/todos", alice.bearer, body: todo)
            #expect(added.status == 201)
            let refused = try await gateway.ask("GET /v1/users/alice/todos", "Authorization: Bearer x")
            #expect(refused.status == 401)
            let users = try await gateway.operate("GET /v1/operator/users", root.bearer)
            var overview = users
            // A worker that is asked in a busy moment may be late with its answer.
            try await eventually("all workers answer") {
                overview = try await gateway.operate("GET /v1/operator", root.bearer)
                return overview.body.contains("\"silent\":0")
            }
            for answer in [users, overview] {
                #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"], "\(answer.text)")
                for word in ["secret thing", "argon2", alice.token.id, alice.text, root.token.id] {
                    #expect(!answer.body.contains(word), "\(word)")
                }
            }
            let shown = try users.read(ShownAccounts.self).users.first { $0.uid == "alice" }
            #expect(shown?.todos == 1)
            #expect(overview.body.contains("\"refused\":{") && overview.body.contains("\"unauthenticated\":1"))
            #expect(overview.body.matches(of: /"listen":"/).count == (backing == .memory ? 1 : 2), "\(overview.body)")
        }
    }
}
