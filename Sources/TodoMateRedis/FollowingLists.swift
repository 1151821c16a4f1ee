import EventLoop
import TodoMate

/// Whom users follow, as JSON: made once and kept until something of the user's changes.
///
/// Reading, sorting and writing 5,000 takes the loop ten milliseconds. Each change of such a list is one of the user's log.
@LoopActor
final class FollowingLists {
    private static let mostKept = 32

    private let functions: TodoFunctions
    private var kept: [(uid: String, id: ChangeID, json: String)] = []
    /// A user's repeated requests wait behind each other.
    private let turns = FairTurns(parallel: 2, parallelOfOne: 1, most: .max, mostOfOne: .max)

    init(_ functions: TodoFunctions) { self.functions = functions }

    func json(of uid: String, _ read: () async throws(TodoError) -> [Followed]) async throws(TodoError) -> String {
        let turn = await turns.turn(for: uid)
        defer { withExtendedLifetime(turn) {} }
        // Before the list: one that is newer than this is only read once more.
        let id = try await functions.latestChangeID(of: uid)
        if let known = kept.first(where: { $0.uid == uid && $0.id == id }) { return known.json }
        let list = try await read()
        await LoopActor.shareTurn()
        let json = Followed.json(list)
        kept.removeAll { $0.uid == uid }
        // Without a log, no change would be noticed.
        guard id != .zero, id != .lost else { return json }
        if kept.count == Self.mostKept { kept.removeFirst() }
        kept.append((uid, id, json))
        return json
    }
}
