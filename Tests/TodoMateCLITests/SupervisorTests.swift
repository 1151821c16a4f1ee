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
}
