import EventLoop

/// Decides when a frame is drawn: several changes of one turn make one, and so do those that follow right after it.
@LoopActor
final class FramePacer {
    /// More than some 30 a second are nothing to an eye, but much to a slow line.
    private static let interval = Duration.milliseconds(33)

    private let draw: @LoopActor () -> Void
    private var isDue = false
    private var last = ContinuousClock.now - interval
    private var timer: LoopTimer?

    init(draw: @escaping @LoopActor () -> Void) { self.draw = draw }

    /// Draws the first one.
    func open() {
        timer = LoopTimer { [weak self] in self?.drawNow() }
        drawNow()
    }

    /// Draws none later on.
    func close() {
        timer?.cancel()
        timer = nil
    }

    /// There is something new to be drawn.
    func drawSoon() {
        guard !isDue else { return }
        isDue = true
        let rest = last + Self.interval - ContinuousClock.now
        if rest > .zero {
            timer?.start(after: rest)
        } else {
            LoopActor.atEndOfTurn { [weak self] in self?.drawNow() }
        }
    }

    private func drawNow() {
        isDue = false
        last = .now
        draw()
    }
}
