import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("A request that is said again under an Idempotency-Key", .serialized)
@LoopActor
struct OperationRouteTests {
    private static let todos = "/v1/users/alice/todos"
    /// Takes two people, and so a test of its own.
    private static let accept = "PUT /v1/users/alice/followers/bob"
    private static let note = "/v1/users/alice/notes/2026-11-20"
    private static let draft = #"{"id":"t1","content":"x","date":"2026-11-20"}"#

    private func ask(
        _ gateway: any HTTPGateway,
        _ line: String,
        _ body: String? = nil,
        as uid: String = "alice",
        key: String,
        _ fields: String...
    ) async throws -> Answer {
        // Whoever is followed has an account.
        _ = TestSession.begin("bob")
        let all = [try GatewayProcess.bearer(uid), "Idempotency-Key: \(key)"] + fields
        let length = body == nil ? ["Content-Length: 0"] : []
        return try await gateway.ask(line, all + length, body: body)
    }

    /// Each request that takes one, after what it needs, and before what makes it another one if it were done again.
    private static let requests: [(line: String, body: String?, before: [String], after: [String])] = [
        ("POST \(todos)", #"{"content":"x","date":"2026-11-20"}"#, [], []),
        ("POST \(todos)", draft, [], ["DELETE \(todos)/t1"]),
        ("PUT \(todos)/t1", draft, [], ["PATCH \(todos)/t1 {\"content\":\"y\"}"]),
        ("PUT \(todos)/t1", draft, [], ["DELETE \(todos)/t1"]),
        ("PUT \(todos)/t1", draft, ["PUT \(todos)/t1 \(draft.replacing("x", with: "z"))"], ["DELETE \(todos)/t1"]),
        ("PATCH \(todos)/t1", #"{"status":"complete"}"#, ["POST \(todos) \(draft)"], ["DELETE \(todos)/t1"]),
        ("DELETE \(todos)/t1", nil, ["POST \(todos) \(draft)"], ["POST \(todos) \(draft)"]),
        (
            "PUT \(todos)/t1/reactions/alice", #"{"emoji":"👍"}"#, ["POST \(todos) \(draft)"],
            ["DELETE \(todos)/t1/reactions/alice"]
        ),
        ("DELETE \(todos)/t1/reactions/alice", nil, ["POST \(todos) \(draft)"], ["DELETE \(todos)/t1"]),
        ("PUT \(note)", #"{"detail":"Rain"}"#, [], ["DELETE \(note)"]),
        ("PUT \(note)", #"{"detail":"Snow"}"#, ["PUT \(note) {\"detail\":\"Rain\"}"], ["DELETE \(note)"]),
        ("PUT \(note)", #"{"visibility":"public"}"#, ["PUT \(note) {\"detail\":\"Rain\"}"], ["DELETE \(note)"]),
        (
            "PUT \(note)", #"{"detail":" "}"#, ["PUT \(note) {\"detail\":\"Rain\"}"],
            ["PUT \(note) {\"detail\":\"Sun\"}"]
        ),
        ("DELETE \(note)", nil, ["PUT \(note) {\"detail\":\"Rain\"}"], ["PUT \(note) {\"detail\":\"Sun\"}"]),
        ("PUT /v1/users/alice/goals/g1", #"{"name":"Work"}"#, [], ["PUT /v1/users/alice/goals/g1 {\"name\":\"Home\"}"]),
        (
            "POST /v1/users/alice/goals/g1/spread?visibility=followers", nil,
            ["PUT /v1/users/alice/goals/g1 {\"name\":\"Work\"}"],
            ["PUT /v1/users/alice/goals/g1 {\"visibility\":\"public\"}"]
        ),
        (
            "DELETE /v1/users/alice/goals/g1", nil, ["PUT /v1/users/alice/goals/g1 {\"name\":\"Work\"}"],
            ["PUT /v1/users/alice/goals/g1 {\"name\":\"Work\"}"]
        ),
        (
            "POST /v1/users/alice/routines",
            #"{"routines":[{"id":"r1","content":"Run","rule":"FREQ=DAILY","from":"2026-11-20"}]}"#, [],
            ["DELETE /v1/users/alice/routines/r1"]
        ),
        (
            "PUT /v1/users/alice/routines/r1", #"{"content":"Run","rule":"FREQ=DAILY","from":"2026-11-20"}"#, [],
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Walk\"}"]
        ),
        (
            "DELETE /v1/users/alice/routines/r1", nil,
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Run\",\"rule\":\"FREQ=DAILY\",\"from\":\"2026-11-20\"}"],
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Run\",\"rule\":\"FREQ=DAILY\",\"from\":\"2026-11-20\"}"]
        ),
        (
            "POST /v1/users/alice/routines/r1/split?from=2999-01-01", #"{"id":"r2","content":"Walk"}"#,
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Run\",\"rule\":\"FREQ=DAILY\",\"from\":\"2026-11-20\"}"],
            ["DELETE /v1/users/alice/routines/r2"]
        ),
        (
            "PUT /v1/users/alice/routines/r1/skipped/2999-01-01", nil,
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Run\",\"rule\":\"FREQ=DAILY\",\"from\":\"2026-11-20\"}"],
            ["DELETE /v1/users/alice/routines/r1/skipped/2999-01-01"]
        ),
        (
            "DELETE /v1/users/alice/routines/r1/skipped/2999-01-01", nil,
            ["PUT /v1/users/alice/routines/r1 {\"content\":\"Run\",\"rule\":\"FREQ=DAILY\",\"from\":\"2026-11-20\"}"],
            ["PUT /v1/users/alice/routines/r1/skipped/2999-01-01"]
        ),
        (
            "PATCH /v1/users/alice/profile", #"{"name":"Alice"}"#, [],
            ["PATCH /v1/users/alice/profile {\"name\":\"Al\"}", "POST \(todos) \(draft)"]
        ),
        ("PUT /v1/users/alice/feed/seen", #"{"seen":7}"#, [], ["PUT /v1/users/alice/feed/seen {\"seen\":9}"]),
        ("PUT /v1/users/alice/following/bob", nil, [], ["DELETE /v1/users/alice/following/bob"]),
        (
            "DELETE /v1/users/alice/following/bob", nil, ["PUT /v1/users/alice/following/bob"],
            ["PUT /v1/users/alice/following/bob"]
        ),
        ("DELETE /v1/users/alice/followers/bob", nil, [], ["PUT /v1/users/alice/blocked/bob"]),
        ("PUT /v1/users/alice/blocked/bob", nil, [], ["DELETE /v1/users/alice/blocked/bob"]),
        (
            "DELETE /v1/users/alice/blocked/bob", nil, ["PUT /v1/users/alice/blocked/bob"],
            ["PUT /v1/users/alice/blocked/bob"]
        ),
    ]

    @Test("is any that the gateway takes one for: each of them is tried here")
    func complete() {
        let taken = OperationRule.taking.flatMap { route, methods in methods.map { "\($0.rawValue) \(route)" } }
        let untried = taken.filter { line in
            let wanted = line.split(separator: "/")
            return !(Self.requests.map(\.line) + [Self.accept]).contains { line in
                let parts = line.split(separator: "?")[0].split(separator: "/")
                return parts.count == wanted.count
                    && zip(parts, wanted).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
            }
        }
        #expect(!taken.isEmpty && untried.isEmpty, "\(untried)")
    }

    private func take(_ words: [String], _ gateway: any HTTPGateway) async throws {
        for word in words {
            let parts = word.split(separator: " ", maxSplits: 2).map(String.init)
            let answer = try await gateway.ask(
                parts[0] + " " + parts[1],
                as: "alice",
                body: parts.count > 2 ? parts[2] : nil
            )
            try #require([200, 201, 204].contains(answer.status), "\(word): \(answer.text)")
        }
    }

    @Test("is answered as the first time, by any worker, and done once", arguments: Backing.allCases)
    func repeats(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            for (number, request) in Self.requests.enumerated() {
                try await take(request.before, gateways[0])
                let key = "\"key \(number)\""
                let first = try await ask(gateways[0], request.line, request.body, key: key)
                #expect([200, 201, 204].contains(first.status), "\(request.line): \(first.text)")
                #expect(first.fields("Idempotency-Replayed") == [], "\(request.line)")
                for turn in 0..<2 {
                    if turn == 1 { try await take(request.after, gateways[0]) }
                    let before = try await gateways[0].latest(of: "alice")
                    let again = try await ask(gateways[1 - turn], request.line, request.body, key: key)
                    #expect(again.fields("Idempotency-Replayed") == ["true"], "\(request.line): \(again.text)")
                    #expect(again.status == first.status && again.body == first.body, "\(request.line): \(again.text)")
                    for name in ["ETag", "Location", "Content-Type", "Cache-Control"] {
                        #expect(again.fields(name) == first.fields(name), "\(request.line)")
                    }
                    #expect(try await gateways[0].latest(of: "alice") == before, "\(request.line)")
                }
                // The next one begins with as little.
                let rest = try await gateways[0].ask("GET \(Self.todos)", as: "alice").body
                for id in rest.matches(of: /\{"id":"([^"]+)","uid"/).map(\.1) {
                    try await take(["DELETE \(Self.todos)/\(id)"], gateways[0])
                }
                try await take(["DELETE /v1/users/alice/blocked/bob", "DELETE /v1/users/alice/goals/g1"], gateways[0])
                for id in ["r1", "r2"] { try await take(["DELETE /v1/users/alice/routines/\(id)"], gateways[0]) }
            }
        }
    }

    @Test("accepts a follower once", arguments: Backing.allCases)
    func accepts(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.write("PATCH /v1/users/alice/profile", as: "alice", #"{"audience":"followers"}"#)
            func request() async throws {
                #expect(try await gateway.ask("PUT /v1/users/bob/following/alice", as: "bob").status == 200)
            }
            try await request()
            let accept = Self.accept
            let first = try await ask(gateway, accept, key: #""a""#)
            #expect(first.status == 200 && first.body.contains(#""follower":"following""#), "\(first.text)")
            #expect(try await ask(gateway, "DELETE /v1/users/alice/followers/bob", key: #""b""#).status == 200)
            try await request()
            let again = try await ask(gateway, accept, key: #""a""#)
            #expect(again.body == first.body && again.fields("Idempotency-Replayed") == ["true"])
            let requests = try await gateway.ask("GET /v1/users/alice/followers?state=requested", as: "alice").body
            #expect(requests.contains(#""uid":"bob""#), "bob asks anew and was not accepted anew")
        }
    }

    @Test("needs one string in quotes, one for each request, and a path that takes it", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let before = try await gateway.latest(of: "alice")
            for key in [
                "", "abc", "8e03978e-40d5-43dd-bc93-6894a57f9324", "\"", "\"\"", "\"a", "\"a\"b", "\"a\\\"", "\"a\\b\"",
                "\"a\", \"b\"", "\"a\";p", "'a'", "\"é\"", "1", "?1", ":YQ==:",
                "\"\(String(repeating: "x", count: 129))\"",
            ] {
                let answer = try await ask(gateway, "POST \(Self.todos)", Self.draft, key: key)
                #expect(answer.status == 400 && answer.isProblem, "\(key): \(answer.text)")
            }
            let two = try await ask(gateway, "POST \(Self.todos)", Self.draft, key: #""a""#, #"Idempotency-Key: "b""#)
            #expect(two.status == 400)
            for line in [
                "POST /v1/session", "DELETE /v1/session", "POST /v1/users/alice/password",
                "POST /v1/users/alice/tokens",
                "POST /v1/users/alice/invitations", "DELETE /v1/users/alice/sessions", "POST /v1/users/alice/deletion",
                "PUT /v1/users/alice/mail", "POST /v1/accounts", "POST /v1/users/alice/factor",
            ] {
                let answer = try await ask(gateway, line, "{}", key: #""a""#)
                #expect(
                    answer.status == 400 && answer.body.contains("takes no Idempotency-Key"),
                    "\(line): \(answer.text)"
                )
            }
            #expect(try await gateway.latest(of: "alice") == before)
            // A read needs none.
            #expect(try await ask(gateway, "GET \(Self.todos)", key: "nonsense").status == 200)
            // Who may not write is told so as ever.
            #expect(try await ask(gateway, "POST \(Self.todos)", Self.draft, as: "bob", key: #""a""#).status == 403)
        }
    }

    @Test("is another one by its body, path, query or method, and by no condition", arguments: Backing.allCases)
    func reused(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let key = #""quoted \" and \\""#
            let first = try await ask(gateway, "POST \(Self.todos)", Self.draft, key: key)
            #expect(first.status == 201)
            for (line, body) in [
                ("POST \(Self.todos)", Self.draft + " "), ("PUT \(Self.todos)/t1", Self.draft),
                ("PATCH \(Self.todos)/t1", #"{"status":"complete"}"#), ("DELETE \(Self.todos)/t1", nil),
            ] as [(String, String?)] {
                let answer = try await ask(gateway, line, body, key: key)
                #expect(
                    answer.status == 422 && answer.body.contains("urn:todomate:problem:operation-reused"),
                    "\(answer.text)"
                )
            }
            // bob's is his own.
            #expect(
                try await ask(gateway, "POST /v1/users/bob/todos", Self.draft, as: "bob", key: key)
                    .fields("Idempotency-Replayed") == []
            )
            // A conflict is no answer to remember: merged, it goes on under its name.
            let stale = try await ask(
                gateway,
                "PATCH \(Self.todos)/t1",
                #"{"content":"a"}"#,
                key: #""b""#,
                #"If-Match: "9-1763677123456789""#
            )
            #expect(stale.status == 412 && stale.body.contains(#""current":{"id":"t1""#))
            let tag = try #require(stale.fields("ETag").first)
            let merged = try await ask(
                gateway,
                "PATCH \(Self.todos)/t1",
                #"{"content":"ab"}"#,
                key: #""b""#,
                "If-Match: \(tag)"
            )
            #expect(merged.status == 200)
            for field in ["If-Match: \(tag)", "If-Match: *", #"If-Match: "9-1763677123456789""#] {
                let again = try await ask(gateway, "PATCH \(Self.todos)/t1", #"{"content":"ab"}"#, key: #""b""#, field)
                #expect(
                    again.status == 200 && again.body == merged.body && again.fields("ETag") == merged.fields("ETag")
                )
            }
        }
    }

    @Test("shows nobody what they may not see any more", arguments: Backing.allCases)
    func visits(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.write("PATCH /v1/users/alice/profile", as: "alice", #"{"audience":"public"}"#)
            try await gateway.add("alice", "unseen", id: "t1", visibility: .public)
            let line = "PUT \(Self.todos)/t1/reactions/bob"
            func react() async throws -> Answer {
                try await ask(gateway, line, #"{"emoji":"👍"}"#, as: "bob", key: #""a""#)
            }
            #expect(try await react().status == 200)
            try await gateway.write("PATCH \(Self.todos)/t1", as: "alice", #"{"content":"plain"}"#)
            let seen = try await react()
            #expect(
                seen.status == 200 && !seen.body.contains("unseen") && seen.fields("Idempotency-Replayed") == ["true"]
            )
            try await gateway.write("PATCH \(Self.todos)/t1", as: "alice", #"{"visibility":"private"}"#)
            let hidden = try await react()
            #expect(hidden.status == 404 && !hidden.body.contains("plain"), "\(hidden.text)")
        }
    }

    @Test("is let from pages that may call, and told to them", arguments: Backing.allCases)
    func origins(_ backing: Backing) async throws {
        try await withGateways(on: backing, allowing: ["https://app.example"]) { gateways in
            let gateway = gateways[0]
            let origin = "Origin: https://app.example"
            let asked = try await gateway.ask("OPTIONS \(Self.todos)", origin, "Access-Control-Request-Method: POST")
            #expect(asked.fields("Access-Control-Allow-Headers").first?.contains("Idempotency-Key") == true)
            let first = try await ask(gateway, "POST \(Self.todos)", Self.draft, key: #""a""#, origin)
            #expect(first.fields("Access-Control-Expose-Headers").first?.contains("Idempotency-Replayed") == true)
        }
    }

    @Test("finds what a worker did that was killed before it answered", arguments: RedisKind.allCases)
    func crashes(_ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind) { server, workers in
            for number in 0..<6 {
                let doomed = try await GatewayProcess(on: server, port: freePort())
                let body = #"{"content":"\#(number)","date":"2026-11-20"}"#
                let fields = [
                    "POST \(Self.todos) HTTP/1.1", "Host: h", try GatewayProcess.bearer("alice"),
                    "Idempotency-Key: \"crash \(number)\"", "Content-Type: application/json",
                    "Content-Length: \(body.utf8.count)",
                ]
                let before = try await server.log(of: "alice").count
                let connection = try RawConnection(port: doomed.port)
                connection.send(fields.joined(separator: "\r\n") + "\r\n\r\n" + body)
                if number % 2 == 0 {
                    // Redis has it; whether the worker has answered is anybody's guess.
                    try await eventually("it is written") { try await server.log(of: "alice").count > before }
                }
                await doomed.program.signal(SIGKILL)
                let again = try await ask(workers[number % 2], "POST \(Self.todos)", body, key: "\"crash \(number)\"")
                #expect(again.status == 201, "\(again.text)")
                if number % 2 == 0 { #expect(again.fields("Idempotency-Replayed") == ["true"]) }
                #expect(try await server.log(of: "alice").count == before + 1)
            }
        }
    }
}
