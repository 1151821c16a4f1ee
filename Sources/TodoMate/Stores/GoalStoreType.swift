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
    /// That visibility is said by who asks for it: where it has become another meanwhile, nobody is shown anything.
    ///
    /// - Parameters:
    ///   - visibility: what the goal has, as far as the caller knows.
    ///   - id: the goal.
    ///   - uid: whose it is.
    ///   - place: where the call before ended; nil to begin.
    /// - Throws: ``TodoError/invalid(_:)`` for a goal that is not there, ``TodoError/conflict(_:current:)`` where it has another
    ///   visibility, ``TodoError/full(_:)``.
    func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread
}

/// How far the visibility of a goal has come to its todos.
///
///     {"changed":100,"seen":200,"broken":0,"next":"4711"}
package struct GoalSpread: Sendable, Equatable {
    /// How many todos were changed.
    package var changed: Int
    /// How many todos of the user's were looked at, whatever they are for.
    package var seen: Int
    /// How many of the goal's todos cannot be read, and stay as they are.
    package var broken: Int
    /// Where to go on; nil at the end.
    package var next: String?

    package init(changed: Int, seen: Int, broken: Int = 0, next: String?) {
        (self.changed, self.seen, self.broken, self.next) = (changed, seen, broken, next)
    }

    /// The answer as JSON, in exactly the spelling above.
    package var json: String { JSONObject(["changed": changed, "seen": seen, "broken": broken, "next": next]).text }
}

extension GoalStoreType {
    /// Gives all todos of a goal its visibility.
    ///
    /// - Parameter progress: called after each part with what was done so far.
    /// - Returns: what was done altogether.
    @discardableResult
    package func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        _ progress: @LoopActor (GoalSpread) -> Void = { _ in }
    ) async throws(TodoError) -> GoalSpread {
        var all = GoalSpread(changed: 0, seen: 0, next: nil)
        repeat {
            let part = try await spread(visibility, to: id, of: uid, from: all.next)
            all.changed += part.changed
            all.seen += part.seen
            all.broken += part.broken
            all.next = part.next
            progress(all)
        } while all.next != nil
        return all
    }
}
