import TestServers

/// Which faults happen one after the other, with the pauses between them: the same for the same seed.
struct FaultSchedule {
    struct Step {
        var pauseMilliseconds: Int
        var fault: Fault
        /// Whether writers hold afterwards until everybody agrees; otherwise the next fault meets what this one left.
        var settles: Bool
        /// For what the fault itself leaves to chance.
        var random: SeededRandom
    }

    private var random: SeededRandom
    private var bag: [Fault] = []
    private let faults: [Fault]

    init(seed: UInt64, of faults: [Fault] = Fault.allCases) {
        random = SeededRandom(seed: seed)
        self.faults = faults
    }

    /// Every fault comes once before any comes again.
    mutating func next() -> Step {
        if bag.isEmpty { bag = faults.shuffled(using: &random) }
        return Step(
            pauseMilliseconds: Int.random(in: 50...800, using: &random),
            fault: bag.removeLast(),
            settles: Bool.random(using: &random),
            random: random.split()
        )
    }
}
