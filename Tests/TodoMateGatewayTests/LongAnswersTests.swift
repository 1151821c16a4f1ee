import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing
import TodoMate

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

    @Test("and whose session ends meanwhile is told so, and gets no answer", arguments: [true, false])
    func ended(isEnded: Bool) async throws {
        let repository = InMemoryTodoRepository()
        let generations = try await TestSession.beginAll(in: repository.stores.sessions)
        let watch = SessionWatch(
            repository.stores.sessions,
            OpenStreams(),
            TodoRealtimeService(repository),
            Logger(write: { _ in })
        )
        defer { watch.stop() }
        let token = SessionToken(
            uid: "alice",
            expiry: Date() + 60,
            id: TestSession.id(of: "alice"),
            generation: try #require(generations["alice"])
        )
        let principal = Authenticator.Principal(token: token)
        let authenticator = Authenticator(signer: nil, allowedOrigins: [], sessions: watch)
        let answers = LongAnswers()
        var held = [
            try await answers.turn(of: "alice", principal, authenticator),
            try await answers.turn(of: "alice", principal, authenticator),
        ]
        let waiting = Task { @LoopActor () -> Problem.Kind? in
            do throws(Problem) {
                _ = try await answers.turn(of: "alice", principal, authenticator)
                return nil
            } catch {
                return error.kind
            }
        }
        // The loop takes its tasks in turn: it waits once this one has it again.
        await LoopActor.giveWay()
        if isEnded {
            try await repository.stores.sessions.end(token.id, of: "alice")
            watch.ended(token)
        }
        #expect(await authenticator.mayGoOn(principal) != isEnded)
        held.removeAll()
        #expect(await waiting.value == (isEnded ? .unauthenticated : nil))
    }
}
