import EventLoop
import Foundation
import Testing

@testable import TodoMateClient

@Suite("An import's patience with a server", .serialized)
@LoopActor
struct RequestPatienceTests {
    private func failure(_ status: Int, waiting seconds: Int) -> ServerFailure {
        ServerFailure(ServerAnswer(status: status, fields: ["retry-after": "\(seconds)"], body: Data()))
    }

    /// What came of it; nil for a failure.
    private func answer(
        _ patience: RequestPatience,
        _ ask: @LoopActor () async throws(ServerFailure) -> Int
    ) async -> Int? {
        do throws(ServerFailure) { return try await patience.answer(ask) } catch { return nil }
    }

    @Test("ends at once when it is told to, and nothing is asked afterwards")
    func ends() async {
        let patience = RequestPatience()
        var asked = 0
        let first = await answer(patience) { () throws(ServerFailure) in
            asked += 1
            patience.end()
            throw failure(429, waiting: 3600)
        }
        #expect(first == nil && asked == 1)
        #expect(await answer(patience, { 7 }) == nil)
    }

    @Test("wakes who waits for a server that wants no request for an hour", arguments: [429, 503])
    func wakes(_ status: Int) async {
        let (patience, isAsked) = (RequestPatience(), Waiters())
        var asked = 0
        let waiting = Task {
            await answer(patience) { () throws(ServerFailure) in
                asked += 1
                isAsked.resumeAll()
                throw failure(status, waiting: 3600)
            }
        }
        await isAsked.wait { asked == 1 }
        await LoopActor.shareTurn()
        patience.end()
        #expect(await waiting.value == nil && asked == 1)
    }

    @Test("does not wait for what does not pass, and asks again for what does")
    func passes() async {
        let patience = RequestPatience()
        var failures = [failure(429, waiting: 0), .invalid("no"), .invalid("not asked again")]
        let refused = await answer(patience) { () throws(ServerFailure) in throw failures.removeFirst() }
        #expect(refused == nil && failures.count == 1)
        failures = [.silent("away")]
        let taken = await answer(patience) { () throws(ServerFailure) in
            guard failures.isEmpty else { throw failures.removeFirst() }
            return 7
        }
        #expect(taken == 7)
    }
}
