import EventLoop
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test(
        "doubles its bound up to the cap",
        arguments: [(0, 50), (1, 100), (2, 200), (4, 800), (5, 1000), (1_000_000, 1000)]
    )
    func bounds(_ failures: Int, _ milliseconds: Int) {
        #expect(Backoff().bound(afterFailure: failures) == .milliseconds(milliseconds))
    }

    @Test("draws from the whole range below the bound")
    func jitter() {
        var generator = SystemRandomNumberGenerator()
        let backoff = Backoff(base: .seconds(1), cap: .seconds(1))
        let draws = (0..<2000).map { _ in backoff.delay(afterFailure: 3, using: &generator) }
        #expect(draws.allSatisfy { (.zero ... .seconds(1)).contains($0) })
        #expect(draws.contains { $0 < .milliseconds(50) } && draws.contains { $0 > .milliseconds(950) })
    }
}
