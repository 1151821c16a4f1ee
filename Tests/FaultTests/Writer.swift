import EventLoop
import RedisClient
import TestServers
import TodoMate

/// Writes random todos through one door, one after the other, and remembers what it was told.
@LoopActor
final class Writer {
    /// How often what was written with a condition.
    struct Counts {
        /// Writes on the condition that nothing has changed, carried out and refused.
        var kept = 0
        var refused = 0
        /// Requests with the tag of what is not there any more, each to be refused.
        var former = 0
        /// Of these, how many came to a todo of the same id.
        var formerOfOther = 0
        /// Writes without effect.
        var repeated = 0

        static func += (left: inout Counts, right: Counts) {
            left.kept += right.kept
            left.refused += right.refused
            left.former += right.former
            left.formerOfOther += right.formerOfOther
            left.repeated += right.repeated
        }
    }

    let name: String
    private let users: [String]
    private let days: [String]
    private(set) lazy var keeper = DoorKeeper(
        door: door,
        deployment: deployment,
        client: RedisClient(deployment.url, timeout: .seconds(2))
    )
    private let door: Door
    let deployment: Deployment
    var random: SeededRandom
    private var count = 0
    private var epochs: [String: Int] = [:]
    private(set) var isStopped = false
    private var isPaused = false
    private var isWriting = false
    private var task: Task<Void, Never>?

    var ledger = Ledger()
    var counts = Counts()
    private(set) var acknowledged = 0
    var unanswered = 0
    /// Contents that may have been added twice, before and after data were lost.
    var twiceAdded: Set<String> = []
    /// Answers that cannot be right, whatever else happened.
    var objections: [String] = []

    /// - Parameter users: whose todos it writes; those of the last one rarely.
    init(
        _ name: String,
        _ door: Door,
        users: [String],
        days: [String],
        _ deployment: Deployment,
        _ random: SeededRandom
    ) {
        self.name = name
        self.users = users
        self.days = days
        self.deployment = deployment
        self.random = random
        self.door = door
    }

    func start() {
        task = Task {
            while !isStopped {
                if !isPaused {
                    isWriting = true
                    await writeOnce()
                    isWriting = false
                }
                await LoopTimer.sleep(for: .milliseconds(Int.random(in: 5...60, using: &random)))
            }
        }
    }

    /// Writes nothing until told to go on; returns when the write under way has been answered, or has not.
    func pause() async {
        isPaused = true
        while isWriting { await LoopTimer.sleep(for: .milliseconds(5)) }
    }

    func goOn() { isPaused = false }

    /// Returns when the write under way has been answered, or has not.
    func stop() async {
        isStopped = true
        await task?.value
        keeper.client.close()
    }

    private func writeOnce() async {
        for uid in users where epochs[uid, default: 0] != deployment.epoch(of: uid) {
            ledger.forget(of: uid)
            epochs[uid] = deployment.epoch(of: uid)
        }
        let known = ledger.entries.filter { $0.value.acknowledged != nil && !$0.value.isMaybeRemoved }
        let id = known.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<20, using: &random), id) {
        case (0..<2, _): await tryFormer()
        case (2..<10, _), (_, nil): await add()
        case (10..<12, let id?): await repeatWrite(id)
        case (12..<17, let id?): await edit(id)
        case (_, let id?): await remove(id)
        }
    }

    /// Whether nothing of a user has been lost on purpose since the write under way began.
    func isSound(_ uid: String) -> Bool {
        epochs[uid, default: 0] == deployment.epoch(of: uid) && !deployment.isLosingData(of: uid)
    }

    /// A content that nobody has written before.
    func newContent(for uid: String) -> String {
        count += 1
        return "\(uid)!\(name)-\(count)"
    }

    private func add() async {
        // Of one user little is written, so that readers are often where a history begins.
        let isRare = Int.random(in: 0..<30, using: &random) == 0
        let uid = (isRare ? users.last : users.dropLast().randomElement(using: &random)) ?? users[0]
        let content = newContent(for: uid)
        await add("\(name)-\(count)", content, for: uid)
    }

    /// Adds a todo, again and again under the same id until there is an answer.
    func add(_ id: String, _ content: String, for uid: String) async {
        let day = days.randomElement(using: &random) ?? days[0]
        let visibility = Visibility.allCases.randomElement(using: &random)
        while !isStopped, epochs[uid, default: 0] == deployment.epoch(of: uid) {
            let outcome = await keeper.add(id, content, day, visibility, for: uid)
            if !isSound(uid) { twiceAdded.insert(content) }
            switch outcome {
            case .done(let todo?):
                return note(uid) { ledger in
                    ledger.wrote(id, todo, of: uid)
                    if todo.content != content { objections.append("\(id): answered with another content: \(todo)") }
                }
            case .done(nil): return objections.append("\(id): answered without a todo")
            case .missing: return objections.append("\(id): an add was answered with 'not found'")
            case .refused: return note(uid) { _ in objections.append("\(id): an add was refused") }
            case .wrong(let text): return objections.append("\(id): an add was answered with \(text)")
            case .unknown:
                unanswered += 1
                ledger.mayHaveAdded(id)
            }
            await LoopTimer.sleep(for: .milliseconds(100))
        }
    }

    private func edit(_ id: String) async {
        guard let entry = ledger.entries[id], let todo = entry.acknowledged else { return }
        let content = newContent(for: entry.uid)
        let expected = Bool.random(using: &random) ? todo.written : nil
        let visibility = Bool.random(using: &random) ? Visibility.allCases.randomElement(using: &random) : nil
        switch await keeper.edit(id, content, visibility, of: entry.uid, expecting: expected) {
        case .done(let todo):
            if expected != nil { counts.kept += 1 }
            note(entry.uid) { $0.wrote(id, todo, of: entry.uid) }
        case .missing: note(entry.uid) { _ in objections.append("\(id): acknowledged, then not found by an edit") }
        case .refused: refused("an edit", entry, todo)
        case .wrong(let text): objections.append("\(id): an edit was answered with \(text)")
        case .unknown:
            unanswered += 1
            ledger.mayHaveWritten(id, content)
        }
    }

    private func remove(_ id: String) async {
        guard let entry = ledger.entries[id], let todo = entry.acknowledged else { return }
        let expected = Bool.random(using: &random) ? todo.written : nil
        switch await keeper.remove(id, of: entry.uid, expecting: expected) {
        case .done:
            if expected != nil { counts.kept += 1 }
            note(entry.uid) { $0.wrote(id, nil, of: entry.uid) }
        case .missing: note(entry.uid) { _ in objections.append("\(id): acknowledged, then not found by a removal") }
        case .refused: refused("a removal", entry, todo)
        case .wrong(let text): objections.append("\(id): a removal was answered with \(text)")
        case .unknown:
            unanswered += 1
            ledger.mayHaveRemoved(id)
        }
    }

    /// A condition on what was acknowledged last is not met only where a write without an answer came after it.
    private func refused(_ what: String, _ entry: Ledger.Entry, _ todo: Todo) {
        counts.refused += 1
        note(entry.uid) { _ in
            guard entry.isCertain else { return }
            objections.append(
                "\(todo.id): \(what) on the condition of \(todo.written), which was acknowledged, was refused"
            )
        }
    }

    /// Notes an answer, unless the user's data were lost on purpose while the request was under way.
    func note(_ uid: String, _ body: (inout Ledger) -> Void) {
        acknowledged += 1
        if isSound(uid) { body(&ledger) }
    }
}
