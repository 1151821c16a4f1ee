import EventLoop
import Foundation
import Testing

/// What the loop of servers does besides: an app's own thread knows no descriptors, no signals and no end of a turn.
@Suite("The loop that libevent runs")
@LoopActor
struct LibeventTests {
    // The main queue that apps have is worked off by whichever thread is free, where the main thread itself has ended.
    @Test("runs all of its code on one thread, wherever it is called from")
    func oneThread() async {
        let here = pthread_self()
        let tasks = (0..<100).map { _ in Task { @concurrent in await isLoopThread(here) } }
        for task in tasks { #expect(await task.value) }
    }

    @Test("goes on with long work at the end of the next turn, after a look for input, and without a wait")
    func endOfNextTurn() async {
        let journal = Journal()
        let wait = LoopTimer { journal.lines.append("input") }
        await withUnsafeContinuation { continuation in
            LoopActor.atEndOfTurn {
                wait.start(after: .zero)
                journal.lines.append("piece 1")
                LoopActor.atEndOfNextTurn {
                    journal.lines.append("piece 2")
                    LoopActor.atEndOfNextTurn { continuation.resume() }
                }
            }
        }
        wait.cancel()
        #expect(journal.lines == ["piece 1", "input", "piece 2"])
    }

    @Test("tells when a descriptor can be read")
    func descriptors() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        await withUnsafeContinuation { continuation in
            var watch: DescriptorWatch?
            watch = DescriptorWatch(
                ends[0],
                onReadable: {
                    watch?.cancel()
                    continuation.resume()
                },
                onWritable: {}
            )
            watch?.startReading()
            _ = write(ends[1], "x", 1)
        }
        for end in ends { close(end) }
    }

    @Test("catches a signal in place of its usual effect")
    func signals() async {
        await withUnsafeContinuation { continuation in
            var watch: SignalWatch?
            watch = SignalWatch(SIGUSR1) {
                watch?.cancel()
                continuation.resume()
            }
            kill(getpid(), SIGUSR1)
        }
    }
}

@LoopActor
private func isLoopThread(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }

@LoopActor
private final class Journal {
    var lines: [String] = []
    nonisolated init() {}
}
