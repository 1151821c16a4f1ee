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
    /// What happens right after the fault that was drawn last.
    private var second: Fault?
    private let faults: [Fault]

    init(seed: UInt64, of faults: [Fault] = Fault.allCases) {
        random = SeededRandom(seed: seed)
        self.faults = faults
    }

    /// Every fault comes once before any comes again, but for those that come at once after one that leaves no log.
    mutating func next() -> Step {
        if let fault = second {
            second = nil
            return step(fault, after: 0...40)
        }
        if bag.isEmpty { bag = faults.shuffled(using: &random) }
        let fault = bag.removeLast()
        if Fault.leavesNoLog.contains(fault), Int.random(in: 0..<3, using: &random) == 0 {
            second = faults.filter(Fault.followsAtOnce.contains).randomElement(using: &random)
        }
        var step = step(fault, after: 50...800)
        if second != nil { step.settles = false }
        return step
    }

    private mutating func step(_ fault: Fault, after pause: ClosedRange<Int>) -> Step {
        Step(
            pauseMilliseconds: Int.random(in: pause, using: &random),
            fault: fault,
            settles: Bool.random(using: &random),
            random: random.split()
        )
    }
}
