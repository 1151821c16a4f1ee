import EventLoop
import Foundation
import Testing

@Suite("The loop")
@LoopActor
struct LoopTests {
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
}

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
