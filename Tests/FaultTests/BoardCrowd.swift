import EventLoop
import TestServers
import TodoMate
import TodoMateRedis

/// Viewers with boards of several owners, while what is between them changes all the time.
@LoopActor
final class BoardCrowd {
    /// Those who have nothing but boards.
    static let viewers = ["zoe", "yuri"]
    /// Whose accounts change.
    static let people: Set<String> = Set(["alice", "bob", "carol"] + viewers)

    /// One of them looks at the others with an own board, and two look with other eyes at the same owner.
    private static let boards = [
        ("zoe", ["alice", "bob", "carol"]), ("zoe", ["carol", "erin"]), ("yuri", ["bob", "alice"]),
        ("alice", ["alice", "bob", "carol"]),
    ]

    private let deployment: Deployment
    private let standing: [BoardClient]
    /// Boards that were opened for a moment, to see whether they show the same.
    private var fresh: [BoardClient] = []
    private let mixer: RelationMixer
    private let pairs: [(viewer: String, owner: String)]
    private var random: SeededRandom
    private var former: [BoardClient] = []
    private var unsettled: Set<String> = []

    init(_ deployment: Deployment, _ random: inout SeededRandom) {
        self.deployment = deployment
        self.random = random.split()
        standing = Self.boards.map { viewer, owners in
            BoardClient(of: owners, viewer: viewer, port: deployment.httpPort, random: random.split())
        }
        var seen: Set<String> = []
        pairs = Self.boards.flatMap { viewer, owners in owners.map { (viewer, $0) } }
            .filter { $0 != $1 && Self.people.contains($1) && seen.insert("\($0) \($1)").inserted }
        mixer = RelationMixer(pairs, deployment, random.split())
    }

    var count: Int { standing.count }
    /// How many changes of relations and audiences were asked for.
    var mixed: Int { mixer.count }
    /// How many events boards were told.
    var told: Int { (standing + former).reduce(0) { $0 + $1.events.count } }

    func start() {
        for board in standing { board.start() }
        mixer.start()
    }

    func goOn() { mixer.goOn() }

    /// Holds what changes relations.
    func pause() async { await mixer.pause() }

    func stop() async {
        for board in standing + fresh { board.stop() }
        await mixer.stop()
    }

    /// Some go away and come back.
    func drop(_ random: inout SeededRandom) {
        for board in standing where Bool.random(using: &random) { board.drop() }
    }

    /// Opens each board once more, until ``closeFresh()``.
    func openFresh() {
        fresh = Self.boards.map { viewer, owners in
            BoardClient(of: owners, viewer: viewer, port: deployment.httpPort, random: random.split())
        }
        for board in fresh { board.start() }
    }

    func closeFresh() {
        for board in fresh { board.stop() }
        former += fresh
        fresh = []
    }

    /// What each viewer may see of each owner at this moment, after both sides of every pair have met.
    func due(
        _ relations: RedisRelationStore,
        _ shared: any SharedTodoStoreType
    ) async throws(TodoError) -> [String: [String: BoardView.Share]] {
        for (viewer, owner) in pairs { try await settle(viewer, owner, relations) }
        var due: [String: [String: BoardView.Share]] = [:]
        for (viewer, owners) in Self.boards {
            for owner in owners where due[viewer]?[owner] == nil {
                let access = try await shared.access(of: viewer, to: owner)
                guard let snapshot = try await shared.view(of: viewer, on: owner).snapshot else { continue }
                let todos = Dictionary(snapshot.todos.map { ($0.id, $0) }) { $1 }
                due[viewer, default: [:]][owner] = BoardView.Share(access: access, todos: todos)
            }
        }
        return due
    }

    /// A write of which nobody knows may come between, but not again and again.
    private func settle(_ viewer: String, _ owner: String, _ relations: RedisRelationStore) async throws(TodoError) {
        for _ in 0..<10 { if try await relations.repair.settle(viewer, owner) { return } }
        unsettled.insert("\(viewer) and \(owner) do not come to agree about following each other")
    }

    func disagreements(with due: [String: [String: BoardView.Share]]) -> [String] {
        standing.flatMap { $0.disagreements(with: due[$0.viewer] ?? [:]) }
            + fresh.flatMap { $0.disagreements(with: due[$0.viewer] ?? [:]).map { "newly opened: \($0)" } }
    }

    /// What boards were told that they must not be.
    var objections: [String] {
        unsettled.sorted()
            + (standing + former).flatMap { board in board.view.objections.map { "a board of \(board.viewer): \($0)" } }
    }

    func check(by checker: inout RecordChecker) {
        for (number, board) in (standing + former).enumerated() {
            checker.check(board: board.events, "board \(number) of \(board.viewer)")
        }
    }
}
