/// Work that waits for one of a few slots, in turn between the users it is for.
///
/// Who has much to do waits behind their own work; others wait for at most one piece of it. Of one key, few pieces are
/// done at a time, so that no user takes all slots. A place is reserved before there is work for it, and released afterwards.
package struct FairQueue<Job> {
    private struct Line {
        /// Places taken: for work that runs, that waits, and that is still to come.
        var places = 0
        var running = 0
        var jobs: [Job] = []
        /// Whether the key is among the turns.
        var hasTurn = false
    }

    private let parallel: Int
    private let parallelOfOne: Int
    private let most: Int
    private let mostOfOne: Int
    private var lines: [String: Line] = [:]
    /// Keys with work that could begin, in their turn.
    private var turns: [String] = []
    private var running = 0
    package private(set) var places = 0
    /// How many keys it remembers: addresses are cheap to have.
    package var keys: Int { lines.count }
    /// How much work waits.
    package var waiting: Int { lines.values.reduce(0) { $0 + $1.jobs.count } }

    /// - Parameters:
    ///   - parallel: how much is done at a time.
    ///   - parallelOfOne: how much of that one key may have.
    ///   - most: how many places there are.
    ///   - mostOfOne: how many of them one key may have.
    package init(parallel: Int, parallelOfOne: Int = 1, most: Int, mostOfOne: Int) {
        (self.parallel, self.parallelOfOne) = (parallel, parallelOfOne)
        (self.most, self.mostOfOne) = (most, mostOfOne)
    }

    /// Takes a place; false when there is none. For those who are known, an eighth more is kept free.
    package mutating func enter(_ key: String, isKnown: Bool = false) -> Bool {
        guard places < most + (isKnown ? most / 8 : 0), lines[key, default: Line()].places < mostOfOne else {
            return false
        }
        places += 1
        lines[key, default: Line()].places += 1
        return true
    }

    /// Gives a place back whose work is done, or never came.
    package mutating func leave(_ key: String) {
        places -= 1
        lines[key]?.places -= 1
        forgetIfIdle(key)
    }

    /// A caller may be gone, or back with more work, before ``finish(_:)``: the queue stays until then.
    private mutating func forgetIfIdle(_ key: String) {
        if let line = lines[key], line.places == 0, line.running == 0, line.jobs.isEmpty { lines[key] = nil }
    }

    /// Adds work of one who has a place.
    package mutating func add(_ job: Job, for key: String) {
        lines[key, default: Line()].jobs.append(job)
        takeTurn(key)
    }

    /// The work to begin now, and whose it is; nil when all hands are busy or nothing waits.
    package mutating func next() -> (job: Job, key: String)? {
        guard running < parallel, !turns.isEmpty else { return nil }
        let key = turns.removeFirst()
        lines[key]?.hasTurn = false
        guard let job = lines[key]?.jobs.removeFirst() else { return nil }
        lines[key]?.running += 1
        running += 1
        takeTurn(key)
        return (job, key)
    }

    /// Notes that work is done which ``next()`` gave out.
    package mutating func finish(_ key: String) {
        running -= 1
        lines[key]?.running -= 1
        takeTurn(key)
        forgetIfIdle(key)
    }

    /// Puts a key behind the others that have work which could begin.
    private mutating func takeTurn(_ key: String) {
        guard let line = lines[key], !line.hasTurn, !line.jobs.isEmpty, line.running < parallelOfOne else { return }
        lines[key]?.hasTurn = true
        turns.append(key)
    }
}
