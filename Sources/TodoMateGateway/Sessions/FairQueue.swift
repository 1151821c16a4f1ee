/// Work that waits for one of a few hands, in turn between those whom it is for: the pure part of ``PasswordHasher``.
///
/// Who has much to do waits behind their own work; others wait for at most one piece of it. Of one key, one piece is
/// done at a time, so that nobody keeps all hands. A place is taken before there is work for it, and given back afterwards.
struct FairQueue<Job> {
    private struct Line {
        /// Places taken: for work that runs, that waits, and that is still to come.
        var places = 0
        var isRunning = false
        var jobs: [Job] = []
    }

    private let parallel: Int
    private let most: Int
    private let mostOfOne: Int
    private var lines: [String: Line] = [:]
    /// Keys with work that could begin, in their turn.
    private var turns: [String] = []
    private var running = 0
    private(set) var places = 0
    /// How much work waits.
    var waiting: Int { lines.values.reduce(0) { $0 + $1.jobs.count } }

    /// - Parameters:
    ///   - parallel: how much is done at a time.
    ///   - most: how many places there are.
    ///   - mostOfOne: how many of them one key may have.
    init(parallel: Int, most: Int, mostOfOne: Int) {
        (self.parallel, self.most, self.mostOfOne) = (parallel, most, mostOfOne)
    }

    /// Takes a place; false when there is none. For those who are known, an eighth more is kept free.
    mutating func enter(_ key: String, isKnown: Bool = false) -> Bool {
        guard places < most + (isKnown ? most / 8 : 0), lines[key, default: Line()].places < mostOfOne else {
            return false
        }
        places += 1
        lines[key, default: Line()].places += 1
        return true
    }

    /// Gives a place back whose work is done, or never came.
    mutating func leave(_ key: String) {
        places -= 1
        lines[key]?.places -= 1
        forgetIfIdle(key)
    }

    /// Who hears of the end of the work may be gone, or back with more, before ``finish(_:)``: the line stays until then.
    private mutating func forgetIfIdle(_ key: String) {
        if let line = lines[key], line.places == 0, !line.isRunning, line.jobs.isEmpty { lines[key] = nil }
    }

    /// Adds work of one who has a place.
    mutating func add(_ job: Job, for key: String) {
        lines[key, default: Line()].jobs.append(job)
        if lines[key]?.isRunning == false, lines[key]?.jobs.count == 1 { turns.append(key) }
    }

    /// The work to begin now, and whose it is; nil when all hands are busy or nothing waits.
    mutating func next() -> (job: Job, key: String)? {
        guard running < parallel, !turns.isEmpty else { return nil }
        let key = turns.removeFirst()
        guard let job = lines[key]?.jobs.removeFirst() else { return nil }
        lines[key]?.isRunning = true
        running += 1
        return (job, key)
    }

    /// Notes that work is done which ``next()`` gave out.
    mutating func finish(_ key: String) {
        running -= 1
        lines[key]?.isRunning = false
        if lines[key]?.jobs.isEmpty == false { turns.append(key) }
        forgetIfIdle(key)
    }
}
