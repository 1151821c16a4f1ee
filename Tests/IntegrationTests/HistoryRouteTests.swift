import EventLoop
import Foundation
import TestServers
import Testing

@Suite("What became of a todo, over HTTP", .serialized)
@LoopActor
struct HistoryRouteTests {
    private static let todos = "/v1/users/alice/todos"

    @Test("is told to its owner, with what brings it back", arguments: Backing.allCases)
    func owner(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let draft = #"{"id":"a","content":"milk","date":"2026-11-20","visibility":"private"}"#
            #expect(try await gateway.ask("POST \(Self.todos)", as: "alice", body: draft).status == 201)
            let patch = #"{"status":"complete","visibility":"public"}"#
            #expect(try await gateway.ask("PATCH \(Self.todos)/a", as: "alice", body: patch).status == 200)
            var answer = try await gateway.ask("GET \(Self.todos)/a/history", as: "alice")
            #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
            #expect(answer.body.hasPrefix(#"{"todo":{"id":"a","uid":"alice""#), "\(answer.body)")
            #expect(answer.body.contains(#""reach":"whole","changes":[{"id":"2-"#))
            #expect(answer.body.contains(#","was":{"status":"todo","visibility":"private"},"todo":{"id":"a""#))
            #expect(!answer.body.contains(#""more""#))

            #expect(try await gateway.ask("DELETE \(Self.todos)/a", as: "alice").status == 204)
            answer = try await gateway.ask("GET /v1/users/alice/removed", as: "alice")
            #expect(answer.status == 200 && answer.body.hasPrefix(#"{"since":"#), "\(answer.body)")
            let change = try #require(answer.body.firstMatch(of: /"changes":\[\{"id":"(3-\d+)","type":"removed"/)?.1)
            answer = try await gateway.ask("GET \(Self.todos)/a/history?before=\(change)", as: "alice")
            #expect(answer.body.contains(#""changes":[{"id":"2-"#))
        }
    }

    @Test("names the device that sent each change, to its owner alone", arguments: Backing.allCases)
    func devices(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let open = #"{"audience":"public"}"#
            #expect(try await gateway.ask("PATCH /v1/users/alice/profile", as: "alice", body: open).status == 200)
            func ask(_ line: String, as uid: String = "alice", by agent: String?, _ body: String? = nil) async throws {
                let fields = [try GatewayProcess.bearer(uid)] + (agent.map { ["User-Agent: \($0)"] } ?? [])
                let answer = try await gateway.ask(
                    line,
                    fields + (body == nil ? ["Content-Length: 0"] : []),
                    body: body
                )
                #expect([200, 201, 204].contains(answer.status) && !answer.text.contains("Linux"), "\(answer.text)")
            }
            let draft = #"{"id":"a","content":"milk","date":"2026-11-20","visibility":"public"}"#
            try await ask("POST \(Self.todos)", by: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", draft)
            try await ask("PATCH \(Self.todos)/a", by: nil, #"{"content":"wine"}"#)
            try await ask("PUT \(Self.todos)/a/reactions/bob", as: "bob", by: "curl/8.0", #"{"emoji":"🎉"}"#)
            try await ask("PATCH \(Self.todos)/a", by: "\u{1F600}", #"{"content":"tea"}"#)
            try await ask("PATCH \(Self.todos)/a", by: "x\"\\y/1", #"{"content":"soup"}"#)
            try await ask("DELETE \(Self.todos)/a", by: "todomate/1.0")
            try await gateway.giveAccount("alice")
            let answer = try await gateway.ask("GET \(Self.todos)/a/history", try await gateway.signIn("alice").bearer)
            let told = answer.body.matches(of: /"at":\d+(?:,"device":"([^"]*)")?/).map { $0.1.map(String.init) }
            #expect(told == ["todomate", "x", nil, nil, nil, "Firefox on Linux"], "\(answer.body)")
        }
    }

    @Test("tells a token by which device something was changed where it may write", arguments: Backing.allCases)
    func tokens(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            let agent = "User-Agent: curl/8.0"
            for id in ["a", "b"] {
                let draft = #"{"id":"\#(id)","content":"milk","date":"2026-11-20"}"#
                let added = try await gateway.ask("POST \(Self.todos)", alice.bearer + [agent], body: draft)
                #expect(added.status == 201)
            }
            #expect(try await gateway.ask("DELETE \(Self.todos)/b", alice.bearer + [agent]).status == 204)
            for scope in ["read", "write"] {
                let wish = #"{"name":"x","scope":"\#(scope)","days":1}"#
                let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.cookie, body: wish)
                let token = try gateway.client(in: made).bearer
                for line in ["GET \(Self.todos)/a/history", "GET /v1/users/alice/removed"] {
                    let (own, told) = (try await gateway.ask(line, alice.bearer), try await gateway.ask(line, token))
                    #expect(own.body.contains(#""device":"curl""#), "\(own.body)")
                    let less = own.body.replacing(#""device":"curl","#, with: "")
                    #expect(told.status == 200 && told.body == (scope == "write" ? own.body : less))
                }
            }
        }
    }

    @Test("is nobody else's, not even of what they may see, and takes no other question", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let draft = #"{"id":"a","content":"milk","date":"2026-11-20","visibility":"public"}"#
            #expect(try await gateway.ask("POST \(Self.todos)", as: "alice", body: draft).status == 201)
            let open = #"{"audience":"public"}"#
            #expect(try await gateway.ask("PATCH /v1/users/alice/profile", as: "alice", body: open).status == 200)
            #expect(try await gateway.ask("GET \(Self.todos)/a", as: "bob").status == 200)
            for (line, who, status) in [
                ("GET \(Self.todos)/a/history", "bob", 403), ("GET /v1/users/alice/removed", "bob", 403),
                ("GET \(Self.todos)/a/history?viewer=alice", "bob", 403),
                ("GET \(Self.todos)/a/history?viewer=alice", "alice", 422),
                ("GET \(Self.todos)/b/history", "alice", 404), ("GET \(Self.todos)/a%20b/history", "alice", 422),
                ("GET \(Self.todos)/a/history?before=", "alice", 422),
                ("GET \(Self.todos)/a/history?before=1-2-3", "alice", 422),
                ("GET \(Self.todos)/a/history?before=99-1", "alice", 404),
                ("GET /v1/users/alice/removed?before=99-1", "alice", 404),
                ("POST \(Self.todos)/a/history", "alice", 405), ("DELETE /v1/users/alice/removed", "alice", 405),
            ] {
                let answer = try await gateway.ask(line, as: who)
                #expect(answer.status == status, "\(line): \(answer.text)")
            }
        }
    }
}
