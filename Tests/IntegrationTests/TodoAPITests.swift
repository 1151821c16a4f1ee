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
        (
            #"{"content":"a","date":"2026-11-20","time":"9:30"}"#, 422,
            "time must be a time of day between 00:00 and 23:59"
        ),
        (#"{"content":"a","date":"2026-11-20","time":"24:00"}"#, 422, "time must be a time of day"),
        (#"{"content":"a","date":"2026-11-20","time":null}"#, 422, "time must be a string"),
        (#"{"content":"a","date":"2026-11-20","time":930}"#, 422, "time must be a string"),
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

    @Test("have a time that can be given, changed and taken away, and stand in its order", arguments: Backing.allCases)
    func times(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            func ask(_ method: String, _ id: String, _ fields: String) async throws -> String {
                let body = "{\(fields)}"
                let place = method == "POST" ? path : "\(path)/\(id)"
                return try await gateway.ask("\(method) \(place)", as: "alice", body: body).body
            }
            let rest = #""content":"a","date":"2026-11-20""#
            for (id, time) in [
                ("none", ""), ("late", #","time":"21:15""#), ("early", #","time":"09:30""#), ("gone", #","time":"""#),
            ] {
                let body = try await ask("POST", id, rest + #","id":"\#(id)""# + time)
                #expect(body.contains("\"time\"") == time.contains(/\d/), "\(body)")
            }
            func order() async throws -> [String] {
                let list = try await gateway.ask("GET \(path)?from=2026-11-20&to=2026-11-20", as: "alice").body
                return list.matches(of: /\{"id":"([a-z]+)"/).map { String($0.1) }
            }
            #expect(try await order() == ["early", "late", "none", "gone"])
            #expect(try await ask("PATCH", "none", #""time":"23:59""#).contains(#""time":"23:59""#))
            #expect(try await order() == ["early", "late", "none", "gone"])
            #expect(try await ask("PATCH", "early", #""time":"""#).contains("time") == false)
            #expect(try await order() == ["late", "none", "early", "gone"])
            // A todo on another day keeps its time; one that is put in place has what the body says.
            #expect(try await ask("PATCH", "late", #""date":"2026-11-21""#).contains(#""time":"21:15""#))
            #expect(try await ask("PUT", "late", rest + #","time":"08:00""#).contains(#""time":"08:00""#))
            #expect(try await ask("PUT", "late", rest).contains("time") == false)
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
