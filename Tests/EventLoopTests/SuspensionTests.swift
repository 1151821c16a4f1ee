import EventLoop
import Foundation
import Testing

@Suite("A suspended task")
@LoopActor
struct SuspensionTests {
    @LoopActor
    private final class Journal {
        var lines: [String] = []

        func note(_ line: String) { lines.append(line) }
    }

    @Test("goes on with the value that it is resumed with, on the loop, after what resumed it")
    func later() async {
        let journal = Journal()
        let value = await LoopActor.suspend { continuation in
            LoopActor.atEndOfTurn {
                continuation.resume(returning: 7)
                journal.lines.append("resumed")
            }
        }
        journal.lines.append("goes on")
        #expect(value == 7)
        #expect(journal.lines == ["resumed", "goes on"])
        LoopActor.assumeIsolated {}
    }

    @Test("was none where it was resumed at once")
    func atOnce() async {
        let journal = Journal()
        LoopActor.atEndOfTurn { journal.lines.append("end of the turn") }
        let value: Int? = await LoopActor.suspend { $0.resume(returning: nil) }
        journal.lines.append("goes on")
        #expect(value == nil)
        #expect(journal.lines == ["goes on"])
        await LoopActor.giveWay()
        #expect(journal.lines == ["goes on", "end of the turn"])
    }

    @Test("goes on in the order in which all are resumed")
    func order() async {
        var waiting: [LoopContinuation<Int>] = []
        let journal = Journal()
        let tasks = (0..<100).map { number in
            Task { @LoopActor in
                let value = await LoopActor.suspend { waiting.append($0) }
                journal.lines.append("\(number) \(value)")
            }
        }
        while waiting.count < tasks.count { await LoopActor.giveWay() }
        let order = waiting.indices.shuffled()
        for index in order { waiting[index].resume(returning: index) }
        for task in tasks { await task.value }
        #expect(journal.lines == order.map { "\($0) \($0)" })
    }

    @Test("goes on whoever waits for it, and from whatever priority")
    func priorities() async throws {
        for priority in [TaskPriority.background, .medium, .high] {
            var continuation: LoopContinuation<Void>?
            let journal = Journal()
            let task = Task(priority: priority) { @LoopActor in
                await LoopActor.suspend { continuation = $0 }
                journal.lines.append("goes on")
            }
            try await LoopActor.giveWay(until: "it is suspended") { continuation != nil }
            Task { @concurrent in
                await task.value
                await journal.note("waited for")
            }
            await LoopActor.giveWay()
            task.cancel()
            #expect(journal.lines.isEmpty)
            continuation?.resume()
            try await LoopActor.giveWay(until: "it goes on") { journal.lines == ["goes on", "waited for"] }
        }
    }
}
