import EventLoop
import Testing

@testable import TodoMate

@Suite("A node that did not answer")
@LoopActor
struct AwayNodesTests {
    @Test("is waited for a tenth of the time by those who ask next; others are not")
    func brief() {
        let away = AwayNodes(patience: .seconds(3600))
        #expect(away.patience(for: "a") == .seconds(3600))
        away.note("a")
        #expect(away.patience(for: "a") == .seconds(360))
        #expect(away.patience(for: "b") == .seconds(3600))
    }

    @Test("is waited for as long as any once the note has grown old, however often it was noted meanwhile")
    func old() async {
        let away = AwayNodes(patience: .milliseconds(2))
        for _ in 0..<3 {
            away.note("a")
            await LoopTimer.sleep(for: .milliseconds(1))
        }
        #expect(away.patience(for: "a") == .milliseconds(2))
    }
}
