import EventLoop

/// Waits where a server wants that, and asks again where it did not answer: for what may be said again and may take long, as an import does.
@LoopActor
final class RequestPatience {
    /// How often in a row a server may not answer; it is asked more and more slowly.
    private static let mostFailures = 6
    private static let backoff = Backoff(base: .seconds(1), cap: .seconds(20))

    private let pauses = Waiters()
    private var isOver = false

    /// Has nothing waited for any more, and nothing asked.
    func end() {
        isOver = true
        pauses.resumeAll()
    }

    /// Asks until there is an answer, or a failure that does not pass.
    func answer<Value: Sendable>(
        _ ask: @LoopActor () async throws(ServerFailure) -> Value
    ) async throws(ServerFailure) -> Value {
        var (failures, generator) = (0, SystemRandomNumberGenerator())
        while !isOver {
            do throws(ServerFailure) {
                return try await ask()
            } catch {
                guard error.isPassing, !isOver else { throw error }
                // A server that only wants it more slowly does not fail.
                if error.status == 429, let wait = error.retryAfter {
                    await pause(for: max(wait, .seconds(1)))
                    continue
                }
                guard failures < Self.mostFailures else {
                    // Others would hear the same.
                    end()
                    throw error
                }
                let backoff = Self.backoff.delay(afterFailure: failures, using: &generator)
                failures += 1
                await pause(for: error.retryAfter.map { max($0, .seconds(1)) } ?? backoff)
            }
        }
        throw .unreachable("it was not asked any more")
    }

    private func pause(for time: Duration) async {
        var isDone = false
        let timer = LoopTimer { [pauses] in
            isDone = true
            pauses.resumeAll()
        }
        timer.start(after: time)
        while !isDone, !isOver { await pauses.wait { isDone || isOver } }
        timer.cancel()
    }
}
