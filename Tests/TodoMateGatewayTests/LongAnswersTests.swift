import EventLoop
import HTTPServing
import TestServers
import Testing

@testable import TodoMateGateway

@Suite("Who waits for long answers")
@LoopActor
struct LongAnswersTests {
    @Test("has two at a time and thirty more to come, and is refused what is beyond")
    func many() async throws {
        let answers = LongAnswers()
        var held = [try await answers.turn(of: "alice"), try await answers.turn(of: "alice")]
        var came = 0
        let waiting = (0..<30).map { _ in
            Task { @LoopActor in
                _ = try await answers.turn(of: "alice")
                came += 1
            }
        }
        // The loop takes its tasks in turn: thirty wait once this one has it again.
        await LoopActor.giveWay()
        do throws(Problem) {
            _ = try await answers.turn(of: "alice")
            Issue.record("a thirty-third")
        } catch {
            #expect(error.kind == .tooManyRequests && error.headers["Retry-After"] == "1")
        }
        _ = try await answers.turn(of: "bob")
        #expect(came == 0)
        held.removeAll()
        for task in waiting { try await task.value }
        #expect(came == 30)
        _ = try await answers.turn(of: "alice")
    }
}
