/// What is left to do before the loop waits again.
@LoopActor
enum LoopTurn {
    static var bodies: [@LoopActor () -> Void] = []
    static var later: [@LoopActor () -> Void] = []
    private static var due: [@LoopActor () -> Void] = []

    /// Runs all that was queued, including what those bodies queue themselves; whether something waits for the next turn.
    static func finish() -> Bool {
        bodies += later
        later.removeAll(keepingCapacity: true)
        while !bodies.isEmpty {
            // Two arrays in turn, so that neither is made anew each turn.
            swap(&bodies, &due)
            for body in due { body() }
            due.removeAll(keepingCapacity: true)
        }
        return !later.isEmpty
    }
}
