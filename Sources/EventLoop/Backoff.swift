/// How long to wait before the next attempt: exponential, with full jitter.
///
/// Full jitter (a uniform draw between nothing and the exponential bound) spreads the clients that lost one server at
/// the same moment; see "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
package struct Backoff: Sendable, Equatable {
    /// The bound of the first wait.
    package var base: Duration
    /// The bound that later waits do not pass.
    package var cap: Duration

    /// Waits of at most `base`, then twice that, and so on up to `cap`.
    package init(base: Duration = .milliseconds(50), cap: Duration = .seconds(1)) {
        self.base = base
        self.cap = cap
    }

    /// The longest wait after this many failures in a row, the first being 0.
    package func bound(afterFailure attempt: Int) -> Duration {
        // 2^20 times any base is past every sensible cap; stopping there keeps the shift from overflowing.
        min(cap, base * (1 << min(attempt, 20)))
    }

    /// A wait drawn for this many failures in a row.
    package func delay(afterFailure attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        bound(afterFailure: attempt) * Double.random(in: 0...1, using: &generator)
    }
}

extension Backoff {
    /// Between reads that fail for a moment: first soon, then at most every five seconds.
    package static var reading: Backoff { Backoff(base: .milliseconds(100), cap: .seconds(5)) }
}

extension LoopTimer {
    /// Returns after the wait that follows so many failures in a row, the first being 0.
    package static func sleep(for backoff: Backoff, afterFailure attempt: Int) async {
        var generator = SystemRandomNumberGenerator()
        await sleep(for: backoff.delay(afterFailure: attempt, using: &generator))
    }
}
