import EventLoop
import Synchronization
import Testing

@Suite("Objects that are released gradually")
@LoopActor
struct GradualReleaseTests {
    /// Takes its time to be freed, as an object with parts does.
    private final class Slow: Sendable {
        static let freed = Atomic<Int>(0)

        deinit {
            let end = ContinuousClock.now + .microseconds(10)
            while ContinuousClock.now < end {}
            Self.freed.add(1, ordering: .relaxed)
        }
    }

    @Test("leave others their turns in between, and are all gone in the end")
    func gradually() async {
        let count = 1000
        var turns = 0
        do {
            let objects = (0..<count).map { _ in Slow() }
            GradualRelease(objects)
        }
        while Slow.freed.load(ordering: .relaxed) < count {
            await LoopActor.giveWay()
            turns += 1
        }
        // Ten milliseconds in shares of a quarter.
        #expect(turns > 10)
    }
}
