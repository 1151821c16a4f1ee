import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A week at a glance and who reacted, over HTTP", .serialized)
@LoopActor
struct WeekRouteTests {
    private func add(_ gateway: any HTTPGateway, _ id: String, _ day: String, _ fields: String = "") async throws {
        let body = #"{"id":"\#(id)","content":"x","date":"\#(day)","status":"complete"\#(fields)}"#
        #expect(try await gateway.ask("POST /v1/users/alice/todos", as: "alice", body: body).status == 201)
    }

    @Test("is told to its owner as it is now, by the day that it is in a zone", arguments: Backing.allCases)
    func owner(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let goal = #"{"name":"Work"}"#
            #expect(try await gateways[0].ask("PUT /v1/users/alice/goals/g1", as: "alice", body: goal).status == 200)
            func week() async throws -> String {
                let answer = try await gateways[1].ask("GET /v1/users/alice/week?\(NoonZone.query)", as: "alice")
                #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
                return answer.body
            }
            let today = #"{"date":"\#(NoonZone.today)","finished":"#
            #expect(try await week().hasPrefix(#"{"streak":0,"days":[{"date":"2"#))
            try await add(gateways[0], "a", NoonZone.today, #","goal":"g1""#)
            try await add(gateways[0], "b", NoonZone.tomorrow)
            #expect(try await week().hasSuffix(today + #"[{"goal":"g1","count":1}]}]}"#))
            #expect(try await week().hasPrefix(#"{"streak":1,"#))
            let move = #"{"date":"\#(NoonZone.today)"}"#
            #expect(try await gateways[0].ask("PATCH /v1/users/alice/todos/b", as: "alice", body: move).status == 200)
            #expect(try await week().hasSuffix(today + #"[{"goal":"g1","count":1},{"count":1}]}]}"#))
            let reopen = #"{"status":"todo"}"#
            #expect(try await gateways[0].ask("PATCH /v1/users/alice/todos/a", as: "alice", body: reopen).status == 200)
            #expect(try await week().hasSuffix(today + #"[{"count":1}]}]}"#))
            #expect(try await week().components(separatedBy: #""date":"#).count == 8)
        }
    }

    @Test(
        "is that of another day where one is named, and so is what is left from before it",
        arguments: Backing.allCases
    )
    func otherDays(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            try await add(gateways[0], "a", "2026-11-10")
            let open = #"{"id":"b","content":"x","date":"2026-11-10"}"#
            #expect(try await gateways[0].ask("POST /v1/users/alice/todos", as: "alice", body: open).status == 201)
            for (day, isThere) in [
                ("2026-11-09", false), ("2026-11-10", true), ("2026-11-16", true), ("2026-11-17", false),
            ] {
                // A zone says nothing about a day that is named.
                let query = "date=\(day)&zone=Pacific/Apia"
                let week = try await gateways[0].ask("GET /v1/users/alice/week?\(query)", as: "alice").body
                #expect(week.contains(#""finished":[{"count":1}]"#) == isThere, "\(day): \(week)")
                #expect(
                    week.contains(#"{"date":"\#(day)","finished":"#) && week.components(separatedBy: "date").count == 8
                )
                let earlier = try await gateways[0].ask("GET /v1/users/alice/earlier?\(query)", as: "alice").body
                #expect(earlier.hasPrefix(#"{"count":\#(day > "2026-11-10" ? 1 : 0),"#), "\(day): \(earlier)")
            }
        }
    }

    @Test("is nobody else's, and takes no other question")
    func refusals() async throws {
        try await withGateways(on: .memory) { gateways in
            for (line, status) in [
                ("GET /v1/users/alice/week", 403), ("GET /v1/users/nobody/week", 403),
                ("GET /v1/users/bob/week?zone=Nowhere/At_All", 422), ("GET /v1/users/bob/week?date=2026-11-31", 422),
                ("GET /v1/users/bob/week?date=", 422), ("GET /v1/users/bob/earlier?date=today", 422),
                ("GET /v1/users/bob/week?until=2026-11-20", 422), ("GET /v1/users/alice/week?date=2026-11-20", 403),
                ("GET /v1/users/bob/badges?date=2026-11-20", 422), ("GET /v1/users/bob/week?date=2026-11-20", 200),
                ("GET /v1/users/b%20b/week", 422), ("POST /v1/users/bob/week", 405), ("GET /v1/users/bob/week", 200),
            ] {
                let answer = try await gateways[0].ask(line, as: "bob")
                #expect(answer.status == status, "\(line): \(answer.text)")
            }
        }
    }

    @Test("of reactors, only the owner sees all, and nobody whom the owner has blocked", arguments: Backing.allCases)
    func reactors(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let path = "/v1/users/alice/todos/t1/reactions"
            try await add(gateways[0], "t1", NoonZone.today, #","visibility":"public""#)
            for person in ["bob", "carol"] {
                let answer = try await gateways[0].ask("PUT \(path)/\(person)", as: person, body: #"{"emoji":"🎉"}"#)
                #expect(answer.status == 200)
            }
            func seen(as viewer: String) async throws -> Set<String> {
                let answer = try await gateways[1].ask("GET \(path)", as: viewer)
                guard answer.status == 200 else { return ["\(answer.status ?? 0)"] }
                return Set(answer.body.matches(of: /"uid":"(\w+)"/).map { String($0.1) })
            }
            #expect(try await seen(as: "alice") == ["bob", "carol"])
            #expect(try await seen(as: "bob") == ["bob"])
            #expect(try await seen(as: "dave") == [])
            let hide = #"{"visibility":"private"}"#
            #expect(try await gateways[0].ask("PATCH /v1/users/alice/todos/t1", as: "alice", body: hide).status == 200)
            #expect(try await seen(as: "alice") == ["bob", "carol"])
            #expect(try await seen(as: "bob") == ["404"])
            #expect(try await gateways[0].ask("PUT /v1/users/alice/blocked/bob", as: "alice").status == 200)
            #expect(try await seen(as: "alice") == ["carol"])
        }
    }
}
