import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("A device that is killed while somebody types", .serialized)
@LoopActor
struct KilledDeviceTests {
    /// What became of a todo, as far as the person knows: a write that was under way when the device was killed was done or not.
    private struct Todos {
        private var possible: [String: Set<String?>] = [:]

        /// A write that returned, or one that may have been on disk already.
        mutating func take(_ number: Int, isCertain: Bool) {
            let id = "t\(number % 7)"
            let before = possible[id] ?? [nil]
            // As the device does it: of what is not there, nothing can be taken away.
            let after = Set(before.map { $0 == nil && number % 11 == 3 ? nil : number % 11 == 3 ? nil : "n\(number)" })
            possible[id] = isCertain ? after : before.union(after)
        }

        func allows(_ todos: [Todo]) -> Bool {
            possible.allSatisfy { id, contents in
                contents.contains(todos.first { $0.id == id }?.content)
            }
        }
    }

    private func number(_ line: String) -> Int? { line.wholeMatch(of: /done (\d+)/).flatMap { Int($0.1) } }

    @Test(
        "loses nothing and does nothing twice, whenever that is, with or without a server",
        arguments: ModelSeeds.all(usually: 1..<4)
    )
    func killed(_ seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        try await withClientGateway(logLength: 100_000) { gateway in
            try await withFolder { folder in
                let path = folder + "/alice.sqlite"
                let seedling = TodoDraft(id: "seed", date: CalendarDate.earliest, content: "seed")
                let first = try #require(try await gateway.stores.todos.add(seedling, for: "alice").change?.id)
                var (todos, next, isServed, ended, hasBegun) = (Todos(), 1, true, 0, false)
                for _ in 0..<12 {
                    // Once, a server has to have been there.
                    let wantsServer = !hasBegun || Int.random(in: 0..<3, using: &random) > 0
                    if isServed && !wantsServer { await gateway.stop() }
                    if !isServed && wantsServer { try gateway.start() }
                    isServed = wantsServer
                    let before = try await gateway.stores.todos.latestChangeID(of: "alice")
                    let device = try RunningProgram(
                        "OfflineDevice",
                        [gateway.url.absoluteString, gateway.token("alice"), path, String(next)]
                    )
                    let wanted = Int.random(in: 0..<40, using: &random)
                    try await eventually("it has written \(wanted) times", within: .seconds(120)) {
                        #expect(device.errors == "")
                        return device.lines.count >= wanted
                    }
                    if isServed {
                        try await eventually("the server hears of it while it is written", within: .seconds(120)) {
                            try await gateway.stores.todos.latestChangeID(of: "alice").version > before.version
                        }
                    }
                    // Any moment will do, which is not a condition that could be awaited.
                    await LoopTimer.sleep(for: .microseconds(Int.random(in: 0..<20_000, using: &random)))
                    await device.signal(SIGKILL)
                    if await device.waitUntilEnded() == .signal(SIGKILL) { ended += 1 }
                    for number in device.lines.compactMap(number) {
                        todos.take(number, isCertain: true)
                        (next, hasBegun) = (number + 1, true)
                    }
                    todos.take(next, isCertain: false)
                    next += 1
                }
                #expect(ended == 12)
                if !isServed { try gateway.start() }

                let client = try gateway.client("alice", keepingIn: path)
                defer { client.close() }
                let list = TodosInMonthViewModel(
                    service: client.container.todoRealtimeService,
                    uid: "alice",
                    month: CalendarMonth(containing: CalendarDate.earliest)
                )
                list.onAppear()
                try await eventually("all is sent", within: .seconds(60)) {
                    client.status == .live && client.pendingChanges.isEmpty
                }
                let stored = try await gateway.stores.todos.snapshot(of: "alice", in: nil)
                try await eventually("the device shows what the server has") { list.todos == stored.todos }
                #expect(todos.allows(stored.todos), "seed \(seed): \(stored.todos.map(\.content))")
                let log = try #require(try await gateway.stores.todos.changes(of: "alice", since: first, within: nil))
                let written = log.filter { $0.kind != .removed }.map(\.todo.content)
                #expect(Set(written).count == written.count, "seed \(seed): each is written once")
            }
        }
    }
}
