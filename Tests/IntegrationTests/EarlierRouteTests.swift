import EventLoop
import Foundation
import TestServers
import Testing

@Suite("What is left from earlier days, over HTTP", .serialized)
@LoopActor
struct EarlierRouteTests {
    @Test("is told to its owner, by the day that it is in a zone", arguments: Backing.allCases)
    func owner(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for (id, day) in [("old", "2020-01-01"), ("today", NoonZone.today), ("tomorrow", NoonZone.tomorrow)] {
                let body = #"{"id":"\#(id)","content":"x","date":"\#(day)"}"#
                #expect(try await gateway.ask("POST /v1/users/alice/todos", as: "alice", body: body).status == 201)
            }
            let answer = try await gateway.ask("GET /v1/users/alice/earlier?\(NoonZone.query)", as: "alice")
            #expect(answer.status == 200 && answer.body.hasPrefix(#"{"count":1,"todos":[{"id":"old","uid":"alice""#))
            #expect(answer.fields("Cache-Control") == ["no-store"])
            let badges = try await gateway.ask("GET /v1/users/alice/badges?\(NoonZone.query)", as: "alice").body
            #expect(badges.hasPrefix(#"{"today":2,"#) && badges.hasSuffix(#""more":1}"#))
        }
    }

    @Test("is nobody else's, and takes no other question")
    func refusals() async throws {
        try await withGateways(on: .memory) { gateways in
            for (line, status) in [
                ("GET /v1/users/alice/earlier", 403), ("GET /v1/users/bob/earlier?zone=Nowhere/At_All", 422),
                ("GET /v1/users/bob/earlier?date=2026-02-30", 422), ("POST /v1/users/bob/earlier", 405),
            ] {
                let answer = try await gateways[0].ask(line, as: "bob")
                #expect(answer.status == status, "\(line): \(answer.text)")
            }
        }
    }
}
