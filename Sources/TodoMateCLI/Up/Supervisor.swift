import EventLoop
import RedisClient
import TodoMate

/// Keeps one program running: starts it again, with backoff, whenever it ends.
@LoopActor
final class Supervisor {
    /// A program that ran at least this long starts again without delay.
    private static let steady = Duration.seconds(10)

    private let name: String
    private let logger: Logger
    private let backoff = Backoff(base: .milliseconds(200), cap: .seconds(10))
    private let start: @LoopActor () async throws -> ChildProcess
    private var child: ChildProcess?
    private(set) var isStopping = false
    private var isOver: Task<Void, Never>?
    private var pause: LoopTimer?
    private var pauseWaiter: UnsafeContinuation<Void, Never>?
    private var generator = SystemRandomNumberGenerator()
    /// How often in a row the program ended before it ran steadily.
    private(set) var failures = 0

    /// - Parameters:
    ///   - name: for the log.
    ///   - start: starts the program once.
    init(_ name: String, logger: Logger, start: @escaping @LoopActor () async throws -> ChildProcess) {
        self.name = name
        self.logger = logger
        self.start = start
    }

    /// Starts the program and watches over it.
    ///
    /// - Throws: what `start` throws, when it cannot be started at all.
    func run() async throws {
        let first = try await start()
        child = first
        isOver = Task { await watch(first) }
    }

    /// Ends the program for good and returns when it is gone.
    func stop(grace: Duration) async {
        isStopping = true
        endPause()
        await child?.stop(grace: grace)
        await isOver?.value
    }

    /// Ends the program at once.
    func kill() {
        isStopping = true
        endPause()
        child?.signal(9)
    }

    /// Waits before the next start, unless it is stopped.
    private func pause(for delay: Duration) async {
        pause = LoopTimer { [weak self] in self?.endPause() }
        await withUnsafeContinuation {
            pauseWaiter = $0
            pause?.start(after: delay)
        }
    }

    private func endPause() {
        pause?.cancel()
        pause = nil
        pauseWaiter?.resume()
        pauseWaiter = nil
    }

    private func watch(_ first: ChildProcess) async {
        var child = first
        while true {
            let began = ContinuousClock.now
            let ending = await child.waitUntilEnded()
            if isStopping { return }
            failures = ContinuousClock.now - began >= Self.steady ? 0 : failures + 1
            logger.warning("\(name) ended, starting it again", ["reason": "\(ending)", "failures": String(failures)])
            guard let next = await startAgain() else { return }
            child = next
            self.child = next
        }
    }

    /// Tries until it starts; nil when it is stopped first.
    private func startAgain() async -> ChildProcess? {
        while true {
            await pause(for: backoff.delay(afterFailure: failures, using: &generator))
            if isStopping { return nil }
            do {
                let child = try await start()
                if !isStopping { return child }
                await child.stop()
                return nil
            } catch {
                if isStopping { return nil }
                failures += 1
                logger.error("\(name) cannot be started again; trying on", ["reason": "\(error)"])
            }
        }
    }
}
