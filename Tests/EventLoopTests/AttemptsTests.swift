import EventLoop
import Testing

@Suite("Attempts")
struct AttemptsTests {
    @Test("only the latest one is current")
    func latest() {
        var attempts = Attempts()
        let first = attempts.begin()
        #expect(attempts.isCurrent(first))
        let second = attempts.begin()
        #expect(!attempts.isCurrent(first) && attempts.isCurrent(second))
    }

    @Test("none is current once it was abandoned, until the next begins")
    func abandoned() {
        var attempts = Attempts()
        let first = attempts.begin()
        attempts.abandon()
        #expect(!attempts.isCurrent(first))
        let second = attempts.begin()
        #expect(!attempts.isCurrent(first) && attempts.isCurrent(second))
    }
}
