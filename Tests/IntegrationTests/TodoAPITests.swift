import EventLoop
import TestServers
import Testing
import TodoMate

@Suite("Todos over HTTP", .serialized)
@LoopActor
struct TodoAPITests {
    private let path = "/v1/users/alice/todos"

    private static let refusals: [(body: String, status: Int, advice: String)] = [
        (#"{"content":"a""#, 400, "not JSON"), ("", 400, "not JSON"), ("[]", 422, "JSON object"),
        (#"{"content":"a"}"#, 422, "date is missing"), (#"{"date":"2026-11-20"}"#, 422, "content is missing"),
        (#"{"content":"a","date":"2026-11-31"}"#, 422, "a real day"),
        (#"{"content":7,"date":"2026-11-20"}"#, 422, "content must be a string"),
        (#"{"content":"a","date":"2026-11-20","status":"done"}"#, 422, "status must be todo, inProgress"),
        (#"{"content":"a","date":"2026-11-20","position":"x"}"#, 422, "position must be a number"),
        (#"{"content":"a","date":"2026-11-20","detail":null}"#, 422, "detail must be a string"),
        (#"{"content":"a","date":"2026-11-20","staus":"todo"}"#, 422, "'staus' is no field of a todo"),
    ]

    @Test("refuse a body that is not one, say what to mend, and change nothing", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for (body, status, advice) in Self.refusals {
                let answer = try await gateway.ask("POST \(path)", as: "alice", body: body)
                #expect(answer.status == status && answer.isProblem, "\(body)")
                #expect(answer.body.contains(advice), "\(body): \(answer.body)")
            }
            #expect(try await gateway.latest(of: "alice") == .zero)
        }
    }

    @Test("are put in place once, over a revision, or only when new", arguments: Backing.allCases)
    func put(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let alice = try GatewayProcess.bearer("alice")
            func put(_ content: String, _ fields: String...) async throws -> Int? {
                let body = "{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}"
                return try await gateway.ask("PUT \(path)/t1", [alice] + fields, body: body).status
            }
            #expect(try await put("a", #"If-Match: "1""#) == 404)
            #expect(try await put("a") == 201)
            #expect(try await put("a") == 200, "it is there")
            #expect(try await put("b") == 200)
            #expect(try await put("c", #"If-Match: "1""#) == 412)
            #expect(try await put("c", #"If-Match: "2""#) == 412, "a revision alone may be that of another history")
            let tag = try #require(try await gateway.ask("GET \(path)/t1", alice).fields("ETag").first)
            #expect(tag.contains(/^"2-\d{16}"$/))
            #expect(try await put("c", "If-Match: \(tag)") == 200)
            #expect(try await put("d", "If-None-Match: *") == 412)
            let read = try await gateway.ask("GET \(path)/t1", alice)
            let now = try #require(read.fields("ETag").first)
            #expect(now.contains(/^"3-\d{16}"$/) && read.body.contains(#""content":"c""#))
            // What was read can be put back as it is.
            let back = try await gateway.ask("PUT \(path)/t1", [alice], body: read.body)
            #expect(back.status == 200 && back.body == read.body)
            #expect(try await gateway.ask("GET \(path)/t1", alice, "If-None-Match: \(now)").status == 304)
            for patch in ["{}", #"{"revision":9}"#] {
                let answer = try await gateway.ask("PATCH \(path)/t1", [alice], body: patch)
                #expect(answer.status == 422 && answer.body.contains("give at least one of"))
            }
            #expect(try await gateway.latest(of: "alice").version == 3)
        }
    }
}
