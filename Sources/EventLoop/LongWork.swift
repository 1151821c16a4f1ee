/// Divides long work on the loop into short pieces: all of it together has one share of each turn, so that however much there
/// is, input waits no longer than that.
@LoopActor
enum LongWork {
    /// Of one turn. A small question is answered in about three turns.
    private static let share = Duration.microseconds(250)

    /// When the first long work of this turn was seen; nil while there has been none.
    private static var began: ContinuousClock.Instant?
    private static var waiting: [LoopContinuation<Void>] = []

    /// Whether this turn's share is used up. Asking begins it.
    static var mustWait: Bool {
        if let began { return began.duration(to: .now) > share }
        begin()
        return false
    }

    /// This turn's share begins, unless it has.
    static func begin() {
        guard began == nil else { return }
        began = .now
        LoopActor.atEndOfTurn { began = nil }
    }

    /// Resumes a task in one of the next turns, behind those that wait already: one a turn.
    static func wait(_ continuation: LoopContinuation<Void>) {
        waiting.append(continuation)
        if waiting.count == 1 { LoopActor.atEndOfNextTurn(resumeFirst) }
    }

    private static func resumeFirst() {
        waiting.removeFirst().resume()
        if !waiting.isEmpty { LoopActor.atEndOfNextTurn(resumeFirst) }
    }
}

extension LoopActor {
    /// Lets others have the loop once long work has used up its share of this turn; does nothing before.
    ///
    /// Long work calls it between steps of some microseconds each. What comes in meanwhile is handled before it continues, and so
    /// is other long work that has waited longer.
    @LoopActor
    public static func shareTurn() async {
        guard LongWork.mustWait else { return }
        await suspend { LongWork.wait($0) }
        LongWork.begin()
    }
}
