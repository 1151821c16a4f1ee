import Testing

@Suite("The schedule of faults")
struct FaultScheduleTests {
    private func steps(_ seed: UInt64, _ count: Int, of faults: [Fault] = Fault.allCases) -> [FaultSchedule.Step] {
        var schedule = FaultSchedule(seed: seed, of: faults)
        return (0..<count).map { _ in schedule.next() }
    }

    @Test("is the same for the same seed, and another for another")
    func seeds() {
        let told = { (seed: UInt64) in steps(seed, 100).map { "\($0.fault) \($0.pauseMilliseconds) \($0.settles)" } }
        #expect(told(1) == told(1))
        #expect(told(1) != told(2))
    }

    @Test("has every fault come")
    func all() { #expect(Set(steps(1, 2 * Fault.allCases.count).map(\.fault)) == Set(Fault.allCases)) }

    @Test("has each of those that take more away follow at once on each of those that leave no log")
    func pairs() {
        let steps = steps(3, 2000)
        let pairs = zip(steps, steps.dropFirst()).filter { first, second in
            Fault.leavesNoLog.contains(first.fault) && !first.settles && second.pauseMilliseconds <= 40
        }
        let seen = Set(pairs.map { "\($0.fault) \($1.fault)" })
        let wanted = Fault.leavesNoLog.flatMap { first in Fault.followsAtOnce.map { "\(first) \($0)" } }
        #expect(seen.isSuperset(of: wanted))
    }

    @Test("has nothing come that was not asked for")
    func alone() { #expect(Set(steps(1, 10, of: [.logDeleted]).map(\.fault)) == [.logDeleted]) }
}
