import EventLoop
import Testing

@Suite("A pause that grows")
struct GrowingPauseTests {
    @Test("grows while things keep happening, up to its longest, and is short again after a rest")
    func growth() {
        var pause = GrowingPause(from: .milliseconds(250), to: .seconds(4))
        var now = ContinuousClock.now
        func next(after rest: Duration) -> Duration {
            now += rest
            let next = pause.next(at: now)
            now += next
            return next
        }
        #expect(next(after: .zero) == .milliseconds(250))
        #expect(next(after: .milliseconds(250)) == .milliseconds(500))
        #expect(next(after: .zero) == .seconds(1))
        #expect(next(after: .seconds(1)) == .seconds(2))
        #expect(next(after: .zero) == .seconds(4))
        for _ in 0..<10 { #expect(next(after: .seconds(4)) == .seconds(4)) }
        #expect(next(after: .milliseconds(4001)) == .milliseconds(250))
    }
}
