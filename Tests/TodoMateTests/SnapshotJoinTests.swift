import Testing

@testable import TodoMate

@Suite("A snapshot and the changes around it")
struct SnapshotJoinTests {
    /// What Redis had one after the other; a history that is replaced begins with version 1 again.
    enum Course: CaseIterable, CustomTestStringConvertible {
        case oneHistory, emptied, emptiedEarly, clockSetBack

        /// Each change, and whether observers are notified of a reset before it.
        var changes: [(id: ChangeID, isReset: Bool)] {
            switch self {
            case .oneHistory: Self.history(1...8, from: 100)
            case .emptied: Self.history(1...5, from: 100) + Self.history(1...4, from: 200, isNew: true)
            case .emptiedEarly: Self.history(1...3, from: 100) + Self.history(1...7, from: 200, isNew: true)
            // The log is read then, and shows that it is the same history.
            case .clockSetBack: Self.history(1...4, from: 200) + Self.history(5...8, from: 100)
            }
        }

        var testDescription: String { "\(self)" }

        private static func history(
            _ versions: ClosedRange<Int>,
            from moment: Int,
            isNew: Bool = false
        ) -> [(id: ChangeID, isReset: Bool)] {
            versions.map {
                (ChangeID(version: $0, microseconds: moment + $0), isNew && $0 == versions.lowerBound)
            }
        }
    }

    @Test(
        "show each change once and in order, and none of an old history after the new one",
        arguments: Course.allCases
    )
    func courses(_ course: Course) {
        let changes = course.changes
        // Where Redis is when the snapshot is read, how much of that has arrived by then, and how much before the answer.
        for written in 0...changes.count {
            for arrived in 0...written {
                for held in 0...(changes.count - arrived) {
                    var reader = Reader(changes)
                    reader.read(at: written)
                    for place in arrived..<changes.count {
                        if place == arrived + held { reader.answer() }
                        reader.receive(place)
                    }
                    reader.answer()
                    let label = "\(course): \(written) written, \(arrived) arrived, \(held) held"
                    #expect(reader.shown == changes.last?.id, "\(label)")
                    #expect(reader.isRight, "\(label): \(reader.seen)")
                    #expect(reader.snapshots <= changes.count + 2)
                }
            }
        }
    }

    /// An observer as view models and streams are.
    private struct Reader {
        let changes: [(id: ChangeID, isReset: Bool)]
        var join = SnapshotJoin<ChangeID> { $0 }
        var seen: [ChangeID] = []
        var isRight = true
        var snapshots = 0
        /// Where Redis was when a snapshot was read that has not been answered.
        private var reading: Int?

        init(_ changes: [(id: ChangeID, isReset: Bool)]) { self.changes = changes }

        var shown: ChangeID? { seen.last }

        mutating func read(at place: Int) {
            join.restart()
            reading = place
        }

        mutating func answer() {
            while let place = reading {
                reading = nil
                snapshots += 1
                let id = place == 0 ? .zero : changes[place - 1].id
                show(id, isSnapshot: true)
                for change in join.join(at: id) { show(change) }
                if join.needsSnapshot { read(at: changes.count) }
            }
        }

        mutating func receive(_ place: Int) {
            if changes[place].isReset {
                read(at: changes.count)
            } else if join.receive(changes[place].id) {
                show(changes[place].id)
            } else if join.needsSnapshot {
                read(at: changes.count)
                answer()
            }
        }

        private mutating func show(_ id: ChangeID, isSnapshot: Bool = false) {
            let place = { [changes] (id: ChangeID) in changes.firstIndex { $0.id == id } ?? -1 }
            if let last = seen.last {
                if isSnapshot ? place(id) < place(last) : place(id) != place(last) + 1 { isRight = false }
            }
            seen.append(id)
        }
    }

    /// What becomes of a change that comes after a snapshot at 5-500: by its version and its moment.
    private static let arrivals: [(id: String, isApplied: Bool, isDoubtful: Bool)] = [
        ("4-400", false, false), ("5-500", false, false), ("6-600", true, false),
        // A snapshot of what was lost since: a failover went back before it, and another history goes on from there.
        ("4-501", false, true), ("4-600", false, true), ("5-499", false, true), ("5-501", false, true),
        // A history that is over.
        ("6-499", false, true), ("60-400", false, true),
    ]

    @Test("fit together, or ask for another snapshot", arguments: [false, true])
    func arrivals(_ isHeld: Bool) throws {
        for (text, isApplied, isDoubtful) in Self.arrivals {
            let id = try #require(ChangeID(text))
            var join = SnapshotJoin<ChangeID> { $0 }
            var applied: [ChangeID] = []
            if isHeld, join.receive(id) { applied.append(id) }
            applied += join.join(at: ChangeID(version: 5, microseconds: 500))
            if !isHeld, join.receive(id) { applied.append(id) }
            #expect(applied == (isApplied ? [id] : []), "\(text)")
            #expect(join.needsSnapshot == isDoubtful, "\(text)")
        }
    }

    @Test("ask for another snapshot once, and take nothing before it")
    func doubtful() {
        var join = SnapshotJoin<ChangeID> { $0 }
        let (second, third) = (ChangeID(version: 2, microseconds: 200), ChangeID(version: 3, microseconds: 201))
        let held = join.join(at: second)
        let isOldApplied = join.receive(ChangeID(version: 81, microseconds: 100))
        #expect(held.isEmpty && !isOldApplied && join.needsSnapshot && !join.isJoined)
        let isNextApplied = join.receive(third)
        let tooEarly = join.join(at: third)
        #expect(!isNextApplied && tooEarly.isEmpty && join.needsSnapshot)
        join.restart()
        #expect(!join.needsSnapshot && !join.isJoined)
        let rest = join.join(at: third)
        let isFourthApplied = join.receive(ChangeID(version: 4, microseconds: 202))
        #expect(rest.isEmpty && join.isJoined && isFourthApplied)
    }
}
