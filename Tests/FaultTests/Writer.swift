import EventLoop
import RedisClient
import TestServers
import TodoMate

/// Writes random todos through one door, one after the other, and remembers what it was told.
@LoopActor
final class Writer {
    private let name: String
    private let users: [String]
    private let days: [String]
    private let keeper: DoorKeeper
    private let deployment: Deployment
    private var random: SeededRandom
    private var count = 0
    private var epoch = 0
    private var isStopped = false
    private var isPaused = false
    private var isWriting = false
    private var task: Task<Void, Never>?

    private(set) var ledger = Ledger()
    private(set) var acknowledged = 0
    private(set) var unanswered = 0
    /// Answers that cannot be right, whatever else happened.
    private(set) var objections: [String] = []

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
        keeper = DoorKeeper(
            door: door,
            deployment: deployment,
            client: RedisClient(deployment.redis.url, timeout: .seconds(2))
        )
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
        if epoch != deployment.epoch {
            ledger.forget()
            epoch = deployment.epoch
        }
        let known = ledger.entries.filter { $0.value.acknowledged != nil && !$0.value.isMaybeRemoved }
        let id = known.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<10, using: &random), id) {
        case (0..<5, _), (_, nil): await add()
        case (5..<8, let id?): await edit(id)
        case (_, let id?): await remove(id)
        }
    }

    /// Adds a todo, again and again under the same id until there is an answer.
    private func add() async {
        count += 1
        let uid = users.randomElement(using: &random) ?? users[0]
        let day = days.randomElement(using: &random) ?? days[0]
        let (id, content) = ("\(name)-\(count)", "\(uid)!\(name)-\(count)")
        while !isStopped, epoch == deployment.epoch {
            switch await keeper.add(id, content, day, for: uid) {
            case .done(let todo?):
                return note { ledger in
                    ledger.wrote(id, todo, of: uid)
                    if todo.content != content { objections.append("\(id): answered with another content: \(todo)") }
                }
            case .done(nil): return objections.append("\(id): answered without a todo")
            case .missing: return objections.append("\(id): an add was answered with 'not found'")
            case .unknown: unanswered += 1
            }
            await LoopTimer.sleep(for: .milliseconds(100))
        }
    }

    private func edit(_ id: String) async {
        guard let entry = ledger.entries[id] else { return }
        count += 1
        let content = "\(entry.uid)!\(name)-\(count)"
        switch await keeper.edit(id, content, of: entry.uid) {
        case .done(let todo): note { $0.wrote(id, todo, of: entry.uid) }
        case .missing: note { _ in objections.append("\(id): acknowledged, then not found by an edit") }
        case .unknown:
            unanswered += 1
            ledger.mayHaveWritten(id, content)
        }
    }

    private func remove(_ id: String) async {
        guard let entry = ledger.entries[id] else { return }
        switch await keeper.remove(id, of: entry.uid) {
        case .done: note { $0.wrote(id, nil, of: entry.uid) }
        case .missing: note { _ in objections.append("\(id): acknowledged, then not found by a removal") }
        case .unknown:
            unanswered += 1
            ledger.mayHaveRemoved(id)
        }
    }

    /// Notes an answer, unless the data were lost on purpose while the write was under way.
    private func note(_ body: (inout Ledger) -> Void) {
        acknowledged += 1
        if epoch == deployment.epoch, !deployment.isLosingData { body(&ledger) }
    }
}
