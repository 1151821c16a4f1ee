import EventLoop
import Foundation
import TestServers
import Testing

@Suite("No change is lost", .serialized)
@LoopActor
struct FaultTests {
    @Test("when one thing goes wrong", arguments: Fault.all(on: .one))
    func single(_ fault: Fault) async throws {
        // The kernel deals readers out by chance: of 16, the worker that dies had none now and then.
        let report = try await FaultRun(seed: 7, faults: [fault], writers: 5, clients: 40).run(rounds: 1)
        print("\(fault.rawValue)\n\(report)")
        #expect(report.objections.isEmpty, "\(report)")
        #expect(report.changes > 0)
        #expect(report.shows(fault), "it did happen:\n\(report)")
    }

    @Test("when one thing goes wrong with a cluster", arguments: Fault.allCases.filter(Fault.ofCluster.contains))
    func singleOfCluster(_ fault: Fault) async throws {
        let run = try FaultRun(seed: 7, on: .cluster, faults: [fault], writers: 5, clients: 16)
        let report = try await run.run(rounds: 1)
        print("\(fault.rawValue)\n\(report)")
        #expect(report.objections.isEmpty, "\(report)")
        #expect(report.changes > 0)
        #expect(report.shows(fault), "it did happen:\n\(report)")
    }

    private nonisolated static let kinds =
        ProcessInfo.processInfo.environment["TODOMATE_FAULT_KIND"].map { [RedisKind(rawValue: $0)].compactMap { $0 } }
        ?? RedisKind.allCases

    /// `scripts/faults` sets all; without them these are short runs that are the same every time.
    @Test("when everything goes wrong, in an order of chance", arguments: kinds)
    func mix(_ kind: RedisKind) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["TODOMATE_FAULT_SEED"].flatMap { UInt64($0) } ?? 20_261_120
        let minutes = environment["TODOMATE_FAULT_MINUTES"].flatMap { Double($0) } ?? 0.5
        print(
            "fault mix: seed \(seed), \(minutes) minutes, \(kind); again with scripts/faults --seed \(seed) --minutes \(minutes)"
        )
        // How quickly is a matter of the machine: it is judged where the run was asked for.
        let limit: Duration? = environment["TODOMATE_FAULT_SEED"] == nil ? nil : .seconds(5)
        let rate = environment["TODOMATE_FAULT_DISTURBANCES"].flatMap { Double($0) } ?? 0
        let only = try environment["TODOMATE_FAULT_NAMES"]?.split(separator: ",").map {
            try #require(Fault(rawValue: String($0)), "there is no fault \($0)")
        }
        let run = try FaultRun(seed: seed, on: kind, faults: only, disturbancesPerSecond: rate, convergingWithin: limit)
        let report = try await run.run(for: .seconds(minutes * 60))
        print(report)
        #expect(report.objections.isEmpty, "\(report)")
    }
}

extension FaultReport {
    /// Whether Redis answered a command about one of its keys with a number of what it took away.
    private func isDone(_ command: String) -> Bool {
        answers.contains { $0.hasPrefix("\(command) todomate:") && Int($1) ?? 0 > 0 }
    }

    /// Whether the run bears the marks that this fault leaves; each reader begins with one snapshot and one connection.
    fileprivate func shows(_ fault: Fault) -> Bool {
        switch fault {
        case .workerKilled, .workerTerminated, .readersDropped: connects > readers
        case .redisKilled, .redisLoading, .commandConnectionsKilled, .allConnectionsKilled, .connectionCutInTheMiddle,
            .connectionBlackholed:
            reconnects > 0
        case .nameUnresolvable: workerLogs.contains { if case .unresolved = $0.event { true } else { false } }
        case .redisBusy, .memoryFull, .readOnlyReplica, .passwordChanged: unanswered > 0
        case .logTrimmed, .logDeletedWhileAway, .everythingFlushed, .userForgotten, .tailLost: snapshots > readers
        // Whoever had heard all of the old log may go on where the new one begins.
        case .logDeleted, .logEmptied: isDone("DEL") || isDone("XTRIM") || snapshots > readers
        case .pubsubConnectionsKilled, .outputBufferTooSmall: lostMessages
        case .redisSleeping: answers["DEBUG SLEEP"] == "OK"
        case .redisPaused: answers["CLIENT PAUSE"] == "OK"
        case .functionsFlushed: answers["FUNCTION FLUSH"] == "OK"
        case .connectionDelayed, .connectionTrickling: hinderedBytes > 0
        case .workerStopped: true  // A signal that stops leaves no mark.
        case .clockSetBack: true  // It expects its own answers.
        // The nodes were asked what had become of them.
        case .slotMoved, .slotMoveHeldUp, .slotMovedWhileCut, .primaryKilled, .primaryDemoted,
            .primaryTakenOver, .primaryStopped, .primaryParted, .shardParted, .primaryEmptied, .replicaEmptied,
            .replicaOutdated, .nodeAddedAndRemoved:
            marks[fault] == count(of: fault)
        }
    }
}
