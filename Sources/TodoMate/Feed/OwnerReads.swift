import EventLoop

/// Reads something of each of many owners, as far as what holds them answers.
///
/// The owners whom one node holds are read a few at a time, beside those of the other nodes. Once one of them cannot be read, nothing
/// more is begun there after the patience is over: a node that is silent costs one wait, however many it holds, and those who ask
/// again soon wait for it only briefly.
@LoopActor
final class OwnerReads<Value: Sendable> {
    /// Reads it of one owner.
    typealias Read = @LoopActor @Sendable (String) async throws(TodoError) -> Value

    /// The owners whom one node holds, and those of them who are still to be read.
    @LoopActor
    private final class Lane {
        /// Nil where one place holds all: who cannot be read there is not missing, but everybody is.
        let node: String?
        /// How long what is in the node may take, and for how long one that fails is asked for more.
        let patience: Duration
        var deadline: ContinuousClock.Instant
        private var owners: ArraySlice<String>
        var isFailing = false

        init(_ node: String?, _ owners: [String], _ patience: Duration) {
            (self.node, self.owners, self.patience) = (node, owners[...], patience)
            deadline = .now + patience
        }

        func next() -> String? { owners.popFirst() }
    }

    /// Each may take Redis milliseconds where todos are long: others run in between.
    private static var readsAtATime: Int { 4 }

    private let read: Read
    private let away: AwayNodes
    private var values: [Value] = []
    private var missing = 0
    private var failure: TodoError?

    /// - Parameter away: how long to wait for each node.
    init(_ away: AwayNodes, _ read: @escaping Read) { (self.away, self.read) = (away, read) }

    /// What could be read, in no order, and how many owners could not be as their node is away.
    ///
    /// - Parameter node: what holds an owner; nil where one place holds all.
    func all(
        of owners: [String],
        heldBy node: (String) -> String?
    ) async throws(TodoError) -> (values: [Value], missing: Int) {
        let lanes = Dictionary(grouping: owners, by: node).map { node, owners in
            Lane(node, owners, node.map(away.patience) ?? .zero)
        }
        let tasks = lanes.flatMap { lane in
            (0..<Self.readsAtATime).map { _ in Task { await work(lane) } }
        }
        for task in tasks { await task.value }
        if let failure { throw failure }
        return (values, missing)
    }

    private func work(_ lane: Lane) async {
        while failure == nil, let owner = lane.next() {
            guard !lane.isFailing || .now < lane.deadline else {
                missing += 1
                continue
            }
            switch await answer(of: owner, in: lane) {
            case .success(let value): values.append(value)
            case .failure(.unavailable) where lane.node != nil:
                lane.isFailing = true
                missing += 1
                if let node = lane.node { away.note(node) }
            case .failure(let error): failure = failure ?? error
            }
        }
    }

    private func answer(of owner: String, in lane: Lane) async -> Result<Value, TodoError> {
        guard let node = lane.node else { return await answer(of: owner) }
        let time = lane.isFailing ? ContinuousClock.now.duration(to: lane.deadline) : lane.patience
        let answer = await LoopActor.answer(within: time) { await self.answer(of: owner) }
        if let answer { return answer }
        // Whoever waited for all of the time has seen the end of it, whatever the clock says.
        lane.deadline = min(lane.deadline, .now)
        return .failure(.unavailable("\(node) does not answer"))
    }

    private func answer(of owner: String) async -> Result<Value, TodoError> {
        do throws(TodoError) {
            return .success(try await read(owner))
        } catch {
            return .failure(error)
        }
    }
}
