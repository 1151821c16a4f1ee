/// How long to gather what happens before looking at it: longer each time while things keep happening, and short again after
/// a rest. No I/O.
package struct GrowingPause {
    package typealias Instant = ContinuousClock.Instant

    private let shortest: Duration
    private let longest: Duration
    private var pause: Duration
    /// When the pause before was, or will be, over.
    private var end: Instant?

    package init(from shortest: Duration, to longest: Duration) {
        (self.shortest, self.longest) = (shortest, longest)
        pause = shortest
    }

    /// The pause that begins now; what happened within the last one after its end makes this one twice as long.
    package mutating func next(at now: Instant) -> Duration {
        let isRested = end.map { now - $0 > pause } ?? true
        pause = isRested ? shortest : min(pause * 2, longest)
        end = now + pause
        return pause
    }
}
