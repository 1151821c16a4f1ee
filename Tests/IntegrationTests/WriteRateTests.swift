import EventLoop
import Foundation
import Observing
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

@Suite("Who writes without end")
@LoopActor
struct WriteRateTests {
    private func withBudgets(
        on kind: RedisKind,
        _ body: @LoopActor (GatewayProcess, any TestRedis) async throws -> Void
    ) async throws {
        try await withGateway(on: kind, "--write-rate", "1") { server, gateway in try await body(gateway, server) }
    }

    /// Asks again and again until the answer is another; how often it was this one, and the other one.
    private func exhaust(
        _ gateway: GatewayProcess,
        _ uid: String,
        _ statuses: Set<Int>,
        _ request: (Int) -> (line: String, body: String?)
    ) async throws -> (count: Int, answer: Answer) {
        var count = 0
        while true {
            let (line, body) = request(count)
            let answer = try await gateway.ask(line, as: uid, body: body)
            guard answer.status.map(statuses.contains) == true, count < 200 else { return (count, answer) }
            count += 1
        }
    }

    private func check(_ answer: Answer, by uid: String) {
        #expect(answer.status == 429, "\(answer.text)")
        #expect(answer.body.contains("urn:todomate:problem:too-many-requests"))
        #expect(answer.body.contains("\(uid) does this too often: wait "))
        let seconds = answer.text.firstMatch(of: /\r\nRetry-After: (\d+)\r\n/).flatMap { Int($0.1) }
        #expect(seconds.map { (1...30).contains($0) } == true, "\(answer.text)")
    }

    @Test("of todos is told when to come back; others write on, and everybody reads", arguments: RedisKind.allCases)
    func todos(_ kind: RedisKind) async throws {
        try await withBudgets(on: kind) { gateway, server in
            let (count, answer) = try await exhaust(gateway, "alice", [201]) { _ in
                ("POST /v1/users/alice/todos", #"{"content":"more","date":"2026-11-20"}"#)
            }
            // Thirty at once, and one for each second that this took.
            #expect(count >= 30 && count < 60)
            check(answer, by: "alice")
            let stored = try await server.cli("HLEN", "todomate:{alice}:todos")
            #expect(stored.contains("\(count)"), "what is refused changes nothing")
            #expect(try await gateway.ask("GET /v1/users/alice/todos", as: "alice").status == 200)
            let body = #"{"content":"more","date":"2026-11-20"}"#
            #expect(try await gateway.ask("POST /v1/users/bob/todos", as: "bob", body: body).status == 201)
            let retried = try await gateway.ask("DELETE /v1/users/bob/todos/none", as: "alice")
            #expect(retried.status == 403, "nobody pays for what others may not do in their name")
        }
    }

    @Test(
        "about one person is stopped before that person's log is full of it; about others may go on",
        arguments: RedisKind.allCases
    )
    func pairs(_ kind: RedisKind) async throws {
        try await withBudgets(on: kind) { gateway, server in
            let (count, answer) = try await exhaust(gateway, "mallory", [200]) { number in
                ("\(number % 2 == 0 ? "PUT" : "DELETE") /v1/users/mallory/following/bob", nil)
            }
            #expect(count == 8)
            check(answer, by: "mallory")
            #expect(try await server.log(of: "bob").count <= 8)
            #expect(try await gateway.ask("PUT /v1/users/mallory/following/carol", as: "mallory").status == 200)
            #expect(try await gateway.ask("PUT /v1/users/bob/blocked/mallory", as: "bob").status == 200)
        }
    }

    @Test("reactions is stopped before the owner's log is full of them", arguments: RedisKind.allCases)
    func reactions(_ kind: RedisKind) async throws {
        try await withBudgets(on: kind) { gateway, server in
            try await server.add("bob", "x", id: "t")
            _ = try await server.call("todomate_update", "bob", "t", #"{"visibility":"public"}"#)
            let (count, answer) = try await exhaust(gateway, "mallory", [200]) { number in
                ("PUT /v1/users/bob/todos/t/reactions/mallory", #"{"emoji":"\#(number % 2 == 0 ? "👍" : "🎉")"}"#)
            }
            #expect(count >= 40 && count < 60)
            check(answer, by: "mallory")
            let body = #"{"emoji":"👍"}"#
            let other = try await gateway.ask("PUT /v1/users/bob/todos/t/reactions/carol", as: "carol", body: body)
            #expect(other.status == 200)
        }
    }

    @Test("settings is stopped, and so is what was seen of the feed, both together", arguments: RedisKind.allCases)
    func settings(_ kind: RedisKind) async throws {
        try await withBudgets(on: kind) { gateway, server in
            let (count, answer) = try await exhaust(gateway, "alice", [200]) { number in
                switch number % 3 {
                case 0: ("PATCH /v1/users/alice/profile", #"{"visibility":"private"}"#)
                case 1: ("PATCH /v1/users/alice/profile", #"{"visibility":"public"}"#)
                default: ("PUT /v1/users/alice/feed/seen", "{\"seen\":\(number)}")
                }
            }
            #expect(count >= 30 && count < 60)
            check(answer, by: "alice")
            var (seen, refused) = ((0..<count).last { $0 % 3 == 2 }, answer)
            // One may be again every two seconds, and so may have been just now.
            for number in 1000...1002 {
                let body = "{\"seen\":\(number)}"
                refused = try await gateway.ask("PUT /v1/users/alice/feed/seen", as: "alice", body: body)
                guard refused.status == 200 else { break }
                seen = number
            }
            check(refused, by: "alice")
            let stored = try await server.cli("HGET", "todomate:{alice}:profile", "feedSeen")
            #expect(Int(stored) == seen)
            let other = try await gateway.ask("PUT /v1/users/bob/feed/seen", as: "bob", body: #"{"seen":999}"#)
            #expect(other.status == 200)
        }
    }

    @Test("at one worker is stopped at the other as well", arguments: RedisKind.allCases)
    func workers(_ kind: RedisKind) async throws {
        try await withTwoWorkers(on: kind, "--write-rate", "1") { server, workers in
            let request = { (number: Int) -> (line: String, body: String?) in
                ("PATCH /v1/users/alice/profile", #"{"visibility":"\#(number % 2 == 0 ? "public" : "private")"}"#)
            }
            let listener = SpendingListener()
            let subject = SharedSubject<SpentBudgets>("workers", redis: server.url)
            defer { subject.close() }
            subject.add(listener, for: "budgets")
            try await eventually("all listen") {
                try await server.subscribers(of: "todomate:shared:workers:budgets") == 3
            }
            let (count, answer) = try await exhaust(workers[0], "alice", [200], request)
            #expect(count >= 30 && count < 60)
            check(answer, by: "alice")
            try await eventually("all of it is announced") { listener.count >= count }
            let (there, refusal) = try await exhaust(workers[1], "alice", [200], request)
            #expect(there < 15, "thirty, if it knew nothing")
            check(refusal, by: "alice")
            let other = try await workers[1].ask("PATCH /v1/users/bob/profile", as: "bob", body: request(0).body)
            #expect(other.status == 200)
        }
    }

    @LoopActor
    private final class SpendingListener: Observer {
        private(set) var count = 0

        func receive(_ event: SpentBudgets) { count += event.spent.reduce(0) { $0 + $1.count } }
    }
}
