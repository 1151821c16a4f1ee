package import EventLoop

/// Stores users' goals. They are part of the settings: a change of one is a change of the account, with all goals.
@LoopActor
package protocol GoalStoreType: AnyObject, Sendable {
    /// All goals of a user, in list order.
    func goals(of uid: String) async throws(TodoError) -> [Goal]

    /// Makes a goal, or changes one; todos that have it keep their visibility.
    ///
    /// - Returns: the goal.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/full(_:)`` where there are ``Goal/most``.
    @discardableResult
    func set(_ patch: GoalPatch, of uid: String) async throws(TodoError) -> Goal

    /// Gives some todos of a goal its visibility, each by an ordinary change. What is done is not done again.
    ///
    /// - Parameters:
    ///   - id: the goal.
    ///   - uid: whose it is.
    ///   - place: where the call before ended; nil to begin.
    /// - Throws: ``TodoError/invalid(_:)`` for a goal that is not there, ``TodoError/full(_:)``.
    func spread(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread
}

/// How far the visibility of a goal has come to its todos.
///
///     {"changed":100,"seen":200,"next":"4711"}
package struct GoalSpread: Sendable, Equatable {
    /// How many todos were changed.
    package var changed: Int
    /// How many todos of the user's were looked at, whatever they are for.
    package var seen: Int
    /// Where to go on; nil at the end.
    package var next: String?

    package init(changed: Int, seen: Int, next: String?) {
        (self.changed, self.seen, self.next) = (changed, seen, next)
    }

    /// The answer as JSON, in exactly the spelling above.
    package var json: String { JSONObject(["changed": changed, "seen": seen, "next": next]).text }
}

extension GoalStoreType {
    /// Gives all todos of a goal its visibility.
    ///
    /// - Parameter progress: called after each part with how many todos were looked at, and how many of them changed, so far.
    /// - Returns: how many were changed.
    @discardableResult
    package func spread(
        _ id: String,
        of uid: String,
        _ progress: @LoopActor (_ seen: Int, _ changed: Int) -> Void = { _, _ in }
    ) async throws(TodoError) -> Int {
        var (seen, changed, place): (Int, Int, String?) = (0, 0, nil)
        repeat {
            let part = try await spread(id, of: uid, from: place)
            (seen, changed, place) = (seen + part.seen, changed + part.changed, part.next)
            progress(seen, changed)
        } while place != nil
        return changed
    }
}
