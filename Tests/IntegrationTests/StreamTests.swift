import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// A reader of an event stream that comes back like a browser: with the id it saw last, until it is stopped.
@LoopActor
private final class StreamReader {
    private let url: String
    private var program: RunningProgram?
    private var earlier = ""
    private var isStopped = false

    init(_ url: String) { self.url = url }

    func start() { Task { try await run() } }

    private func run() async throws {
        while !isStopped {
            let lastID = text.matches(of: /(?m)^id: (\S+)\n/).last.map { String($0.1) }
            let header = lastID.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
            let program = try RunningProgram("curl", ["-sN", "--retry", "0", url] + header)
            self.program = program
            await program.waitUntilEnded()
            // An event that was cut off in the middle was never seen.
            earlier += wholeEvents(program.output)
            self.program = nil
            await LoopTimer.sleep(for: .milliseconds(20))
        }
    }

    func stop() async {
        isStopped = true
        await program?.stop()
    }

    private var text: String { earlier + wholeEvents(program?.output ?? "") }

    private func wholeEvents(_ text: String) -> String {
        guard let end = text.range(of: "\n\n", options: .backwards) else { return "" }
        return String(text[..<end.upperBound])
    }

    /// The types of the events in order, without snapshots, with their versions.
    var events: [String] {
        text.matches(of: /id: (\d+)-\d+\nevent: (\w+)\n/).filter { $0.2 != "snapshot" }.map { "\($0.2) \($0.1)" }
    }

    var versions: [Int] { events.compactMap { Int($0.split(separator: " ")[1]) } }
    var snapshots: Int { text.matches(of: /event: snapshot\n/).count }
}

@Suite("Event streams of several workers on one port", .serialized)
@LoopActor
struct StreamTests {
    private func add(_ server: any TestRedis, _ number: Int, date: String = "2026-11-20") async throws {
        let todo = "{\"id\":\"t\(number)\",\"content\":\"\(number)\",\"date\":\"\(date)\"}"
        try await server.call("todomate_add", "alice", todo)
    }

    private func worker(_ server: any TestRedis, port: Int) async throws -> RunningProgram {
        let worker = try RunningProgram(
            "todomate",
            ["worker", "--redis", server.address, "--listen", "127.0.0.1:\(port)"]
        )
        try await eventually("it is ready") { worker.errors.contains("message=ready") }
        return worker
    }

    @Test(
        "go on without a gap or a repeat when their worker is stopped, killed and replaced",
        arguments: RedisKind.allCases
    )
    func resume(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let port = try freePort()
            var workers = [try await worker(server, port: port), try await worker(server, port: port)]
            let readers = (0..<6).map { _ in StreamReader("http://127.0.0.1:\(port)/v1/users/alice/changes") }
            for reader in readers { reader.start() }
            try await eventually("all have begun") { readers.allSatisfy { $0.snapshots == 1 } }
            // Who has seen nothing yet has no place to come back to.
            try await add(server, 1)
            try await eventually("all follow") { readers.allSatisfy { $0.versions == [1] } }
            for round in 0..<6 {
                for number in 2...11 { try await add(server, round * 10 + number) }
                // Every other time without warning.
                await workers[0].signal(round % 2 == 0 ? SIGKILL : SIGTERM)
                await workers[0].waitUntilEnded()
                workers = [workers[1], try await worker(server, port: port)]
            }
            try await eventually("all came to all") { readers.allSatisfy { $0.versions.last == 61 } }
            for reader in readers {
                #expect(reader.versions == Array(1...61))
                #expect(reader.snapshots == 1)
                await reader.stop()
            }
            for worker in workers { #expect(await worker.stop() == .exit(0)) }
        }
    }

    @Test("begin with a snapshot again when the id is unknown or the log was trimmed", arguments: RedisKind.allCases)
    func unknownID(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let port = try freePort()
            let worker = try await worker(server, port: port)
            for number in 1...3 { try await add(server, number) }
            for id in ["2-5", "99-99", "nonsense", "0-0"] {
                let reader = try RunningProgram(
                    "curl",
                    ["-sN", "-H", "Last-Event-ID: \(id)", "http://127.0.0.1:\(port)/v1/users/alice/changes"]
                )
                try await eventually("\(id) gets an answer") { reader.output.contains("event: snapshot") }
                await reader.stop()
            }
            await worker.stop()
        }
    }

    @Test("begin anew when the data were flushed, though nobody writes", arguments: RedisKind.allCases)
    func flushed(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let port = try freePort()
            let worker = try await worker(server, port: port)
            let reader = StreamReader("http://127.0.0.1:\(port)/v1/users/alice/changes")
            reader.start()
            try await eventually("it reads") { reader.snapshots == 1 }
            try await add(server, 1)
            try await eventually("it follows") { reader.versions == [1] }
            try await server.cli("FLUSHALL")
            try await eventually("it begins anew") { reader.snapshots == 2 }
            await reader.stop()
            await worker.stop()
        }
    }

    @Test(
        "filtered by days show a todo that moves in as added and one that moves out as removed",
        arguments: Backing.allCases
    )
    func filter(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let item = "/v1/users/alice/todos/t1"
            try await gateway.add("alice", "1", id: "t1")
            let day = try BoardReader(gateway.port, "/v1/users/alice/changes?date=2026-11-20", as: "alice")
            let month = try BoardReader(gateway.port, "/v1/users/alice/changes?month=2026-11", as: "alice")
            for reader in [day, month] {
                try await eventually("it has begun") { reader.events.map(\.name) == ["snapshot"] }
            }
            for date in ["2026-11-21", "2026-11-20", "2026-12-01", "2026-12-02", "2026-11-30"] {
                try await gateway.write("PATCH \(item)", as: "alice", #"{"date":"\#(date)"}"#)
            }
            try await gateway.write("PATCH \(item)", as: "alice", #"{"content":"x"}"#)
            try await gateway.write("DELETE \(item)", as: "alice")
            try await eventually("the removal came") { month.changes.last == "removed 8" }
            #expect(day.changes == ["removed 2", "added 3", "removed 4"])
            #expect(month.changes == ["modified 2", "modified 3", "removed 4", "added 6", "modified 7", "removed 8"])
            for reader in [day, month] {
                for event in reader.events.dropFirst() { #expect(event.json["type"] as? String == event.name) }
            }
        }
    }
}

extension BoardReader {
    /// The types and versions of the changes after the snapshot, in order.
    fileprivate var changes: [String] {
        events.dropFirst().map { "\($0.name) \($0.id?.prefix { $0 != "-" } ?? "")" }
    }
}
