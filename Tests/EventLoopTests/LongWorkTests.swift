import EventLoop
import Testing

@Suite("Long work on the loop")
@LoopActor
struct LongWorkTests {
    /// Holds the loop for longer than the share of a turn.
    private func work() {
        let end = ContinuousClock.now + .milliseconds(1)
        while ContinuousClock.now < end {}
    }

    @Test("goes on at once while its share of the turn lasts")
    func short() async {
        var isOtherDone = false
        Task { isOtherDone = true }
        await LoopActor.shareTurn()
        #expect(!isOtherDone)
    }

    @Test("lets what came in go first when its share is used up")
    func long() async {
        await LoopActor.shareTurn()
        var lines: [String] = []
        let input = LoopTimer { lines.append("input") }
        input.start(after: .zero)
        Task { lines.append("other task") }
        work()
        await LoopActor.shareTurn()
        input.cancel()
        #expect(lines.sorted() == ["input", "other task"])
    }

    @Test("is done in turn, one piece a turn, however many have work")
    func inTurn() async {
        var lines: [String] = []
        // Begins a turn, of which nothing is used up.
        await LoopActor.giveWay()
        let workers = (0..<3).map { number in
            Task { @LoopActor in
                for piece in 0..<3 {
                    lines.append("\(piece) of \(number)")
                    work()
                    await LoopActor.shareTurn()
                }
            }
        }
        for worker in workers { await worker.value }
        // The first asks for the first time after its first piece, when nobody has; then everybody waits for everybody.
        #expect(
            lines == [
                "0 of 0", "1 of 0", "0 of 1", "0 of 2", "2 of 0", "1 of 1", "1 of 2", "2 of 1", "2 of 2",
            ]
        )
    }
}
