import EventLoop
import TestServers
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("The supervisor")
@LoopActor
struct SupervisorTests {
    private struct NotNow: Error {}

    private let quiet = Logger(level: .error, format: .logfmt, label: "", write: { _ in })

    @Test("tries on when a program cannot be started again")
    func triesOn() async throws {
        var starts = 0
        let supervisor = Supervisor("sleep", logger: quiet) {
            starts += 1
            switch starts {
            case 1: return try ChildProcess("true", [])
            case 2, 3: throw NotNow()
            default: return try ChildProcess("sleep", ["1000"])
            }
        }
        try await supervisor.run()
        try await eventually("it runs again") { starts == 4 }
        await supervisor.stop(grace: .seconds(5))
    }

    @Test("stops while it waits for the next start, and starts nothing afterwards")
    func stopsWhileWaiting() async throws {
        var starts = 0
        let supervisor = Supervisor("false", logger: quiet) {
            starts += 1
            return try ChildProcess("false", [])
        }
        try await supervisor.run()
        try await eventually("it waits after some failures") {
            supervisor.failures >= 3 && starts == supervisor.failures
        }
        let before = starts
        // Whatever would still start something is over when this returns.
        await supervisor.stop(grace: .seconds(5))
        #expect(starts == before)
    }

    @Test("ends what was just being started when it is told to stop")
    func stopsWhileStarting() async throws {
        let second = SlowStart()
        var starts = 0
        let supervisor = Supervisor("sleep", logger: quiet) {
            starts += 1
            return starts == 1 ? try ChildProcess("false", []) : try await second.finish()
        }
        try await supervisor.run()
        try await eventually("it starts again") { starts == 2 }
        let stop = Task { await supervisor.stop(grace: .seconds(5)) }
        try await eventually("it has heard of it") { supervisor.isStopping }
        second.isReady = true
        await stop.value
        #expect(second.child?.isRunning == false && starts == 2)
    }
}

/// A start that takes until it is told to end.
@LoopActor
private final class SlowStart {
    var isReady = false
    private(set) var child: ChildProcess?

    func finish() async throws -> ChildProcess {
        while !isReady { await Task.yield() }
        let child = try ChildProcess("sleep", ["1000"])
        self.child = child
        return child
    }
}
