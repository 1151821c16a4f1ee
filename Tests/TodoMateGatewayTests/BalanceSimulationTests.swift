import TestServers
import Testing

@testable import TodoMateGateway

/// Workers and readers without sockets: a reader that is let go is away for two seconds, and lands at random.
private struct Simulation {
    private struct Worker {
        var name: String
        var balance: StreamBalance
        var streams = 0
        var announcesAt: Int
    }

    /// How many readers were let go.
    private(set) var moves = 0
    private var workers: [Worker] = []
    private var away: [(back: Int, from: Int)] = []
    private var random: SeededRandom
    private var starts = 0
    /// Quarters of a second.
    private var time = 0
    private let start = ContinuousClock.now
    private var now: ContinuousClock.Instant { start + .milliseconds(250) * time }
    private let isSticky: Bool

    var streams: [Int] { workers.map(\.streams) }

    init(workers count: Int, seed: UInt64, isSticky: Bool = false) {
        random = SeededRandom(seed: seed)
        self.isSticky = isSticky
        for _ in 0..<count { workers.append(newWorker()) }
    }

    private mutating func newWorker() -> Worker {
        starts += 1
        let name = "worker \(starts)"
        let balance = StreamBalance(own: name, interval: .seconds(2), now: now)
        return Worker(name: name, balance: balance, announcesAt: time)
    }

    mutating func open(_ count: Int, at index: Int? = nil) {
        for _ in 0..<count { workers[index ?? Int.random(in: 0..<workers.count, using: &random)].streams += 1 }
    }

    /// Replaces one worker; its readers land among the others.
    mutating func restart(_ index: Int) {
        let readers = workers[index].streams
        tell(WorkerLoad(worker: workers[index].name, streams: readers, draining: true))
        let left = workers.indices.filter { $0 != index }
        for _ in 0..<readers { workers[left.randomElement(using: &random) ?? 0].streams += 1 }
        workers[index] = newWorker()
    }

    mutating func pass(_ seconds: Int) {
        for _ in 0..<seconds * 4 {
            time += 1
            for reader in away where reader.back == time {
                workers[isSticky ? reader.from : Int.random(in: 0..<workers.count, using: &random)].streams += 1
            }
            away.removeAll { $0.back <= time }
            for index in workers.indices {
                if workers[index].announcesAt <= time {
                    workers[index].announcesAt = time + Int.random(in: 6...10, using: &random)
                    tell(WorkerLoad(worker: workers[index].name, streams: workers[index].streams))
                    workers[index].balance.announced(to: workers.count)
                }
                guard (time + index) % 4 == 0,
                    case .letGo(let count) = workers[index].balance.tick(streams: workers[index].streams, at: now)
                else { continue }
                workers[index].balance.letGo(count)
                workers[index].streams -= count
                moves += count
                for _ in 0..<count { away.append((time + Int.random(in: 1...9, using: &random), index)) }
            }
        }
    }

    private mutating func tell(_ load: WorkerLoad) {
        for index in workers.indices { workers[index].balance.receive(load, at: now) }
    }
}

@Suite("Workers that balance their streams")
struct BalanceSimulationTests {
    private func expectBalance(_ simulation: Simulation, _ comment: Comment) {
        let share = simulation.streams.reduce(0, +) / simulation.streams.count
        for streams in simulation.streams {
            #expect(streams <= share + share / 5 + 8 && streams >= share / 2 - 8, comment)
        }
    }

    /// How many have to be let go until those who have too few have their share, when each lands at random.
    private func needed(_ streams: [Int]) -> Int {
        let share = streams.reduce(0, +) / streams.count
        let poor = streams.filter { $0 < share }
        return poor.reduce(0) { $0 + share - $1 } * streams.count / max(poor.count, 1)
    }

    @Test("end balanced after a rolling restart, and stay so", arguments: [2, 3, 4, 5, 10], [1, 2, 3] as [UInt64])
    func rollingRestart(_ count: Int, _ seed: UInt64) {
        var simulation = Simulation(workers: count, seed: seed)
        simulation.open(2000)
        simulation.pass(60)
        #expect(simulation.moves == 0, "opened at random is as good as it gets")
        for index in 0..<count {
            simulation.restart(index)
            simulation.pass(4)
        }
        let before = simulation.streams
        #expect(before.last == 0, "the last to be restarted has nobody")
        let needed = needed(before)
        simulation.pass(600)
        let (after, moves) = (simulation.streams, simulation.moves)
        expectBalance(simulation, "\(before) became \(after)")
        #expect(moves > 0 && moves < needed * 3 / 2, "\(before) became \(after): \(moves) of \(needed)")
        simulation.pass(1200)
        #expect(simulation.moves == moves && simulation.streams == after, "nobody is moved afterwards")
    }

    @Test("end balanced when one of them has all", arguments: [2, 3, 5], [60, 2000])
    func one(_ count: Int, _ readers: Int) {
        var simulation = Simulation(workers: count, seed: 4)
        simulation.open(readers, at: 0)
        simulation.pass(600)
        let moves = simulation.moves
        expectBalance(simulation, "\(simulation.streams)")
        #expect(moves < readers * 3 / 2, "\(moves)")
        simulation.pass(600)
        #expect(simulation.moves == moves)
    }

    @Test("give up where a proxy sends each reader back to the same worker")
    func sticky() {
        var simulation = Simulation(workers: 3, seed: 5, isSticky: true)
        simulation.open(1900, at: 0)
        simulation.open(100, at: 1)
        simulation.pass(1800)
        #expect(simulation.moves <= 400, "\(simulation.moves)")
        #expect(simulation.streams == [1900, 100, 0])
    }
}
