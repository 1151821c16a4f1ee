import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The loop")
@LoopActor
struct LoopTests {
    @Test("runs all of its code on one thread, wherever it is called from")
    func oneThread() async {
        let here = pthread_self()
        let tasks = (0..<100).map { _ in Task { @concurrent in await isLoopThread(here) } }
        for task in tasks { #expect(await task.value) }
    }

    @Test("loses no job that other threads hand in while it sleeps or works")
    func jobsFromElsewhere() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for _ in 0..<2000 { await counter.add() }
                }
            }
        }
        #expect(counter.value == 16_000)
    }

    @Test("runs what is left for the end of the turn after the turn's jobs, in order")
    func endOfTurn() async {
        let journal = Journal()
        LoopActor.atEndOfTurn {
            journal.lines.append("end 1")
            LoopActor.atEndOfTurn { journal.lines.append("end 3") }
        }
        LoopActor.atEndOfTurn { journal.lines.append("end 2") }
        journal.lines.append("turn")
        await LoopTimer.sleep(for: .zero)
        #expect(journal.lines == ["turn", "end 1", "end 2", "end 3"])
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

    @Test("fires timers in the order of their times, and not those that were stopped")
    func timers() async {
        let journal = Journal()
        var isOver: UnsafeContinuation<Void, Never>?
        let late = LoopTimer {
            journal.lines.append("late")
            isOver?.resume()
        }
        let early = LoopTimer { journal.lines.append("early") }
        let stopped = LoopTimer { journal.lines.append("stopped") }
        await withUnsafeContinuation { continuation in
            isOver = continuation
            late.start(after: .milliseconds(20))
            early.start(after: .milliseconds(1))
            stopped.start(after: .milliseconds(5))
            stopped.stop()
        }
        #expect(journal.lines == ["early", "late"])
        for timer in [late, early, stopped] {
            timer.cancel()
            timer.cancel()
        }
    }

    @Test("repeats a timer until it is cancelled")
    func repeats() async {
        await withUnsafeContinuation { continuation in
            var count = 0
            var timer: LoopTimer?
            timer = LoopTimer(every: .milliseconds(1)) {
                count += 1
                guard count == 5 else { return }
                timer?.cancel()
                continuation.resume()
            }
        }
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
private final class Counter {
    private(set) var value = 0
    nonisolated init() {}
    func add() { value += 1 }
}

@LoopActor
private final class Journal {
    var lines: [String] = []
    nonisolated init() {}
}

@Suite("Child processes")
@LoopActor
struct ChildProcessTests {
    @Test("end with their own code or by a signal")
    func endings() async throws {
        #expect(try await ChildProcess("sh", ["-c", "exit 3"]).waitUntilEnded() == .exit(3))
        let child = try ChildProcess("sleep", ["1000"])
        #expect(child.isRunning)
        #expect(await child.stop() == .signal(SIGTERM))
        #expect(!child.isRunning)
    }

    @Test("that do not listen are ended all the same")
    func stubborn() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(
            path: "todomate-mark-\(UUID().uuidString.prefix(8))"
        )
        defer { try? FileManager.default.removeItem(at: mark) }
        let child = try ChildProcess("sh", ["-c", "trap '' TERM; touch \(mark.path); exec sleep 1000"])
        try await eventually("it ignores SIGTERM") { FileManager.default.fileExists(atPath: mark.path) }
        #expect(await child.stop(grace: .milliseconds(300)) == .signal(SIGKILL))
    }

    @Test("that cannot be found say so")
    func missing() {
        #expect {
            try ChildProcess("no-such-program", [])
        } throws: { error in
            "\(error)" == "no-such-program was not found on the PATH: install it"
        }
    }

    @Test("have a process group of their own, so that Ctrl-C does not reach them")
    func group() async throws {
        let child = try ChildProcess("sleep", ["1000"])
        #expect(getpgid(child.pid) != getpgid(0))
        await child.stop()
    }
}
