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

    /// Removes a goal, and takes it from some todos that have it, each by an ordinary change; these keep their visibility. One that is
    /// gone is looked for in todos all the same, so that calls can be repeated.
    ///
    /// - Parameters:
    ///   - id: the goal.
    ///   - uid: whose it is.
    ///   - place: where the call before ended; nil to begin.
    /// - Throws: ``TodoError/invalid(_:)`` for what is no id.
    func remove(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread
}

/// How far what becomes of a goal's todos has come.
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

    /// - Throws: ``TodoError/invalid(_:)`` for what no call can have answered as the place to go on.
    package static func check(_ place: String?) throws(TodoError) {
        guard let place else { return }
        guard !place.isEmpty, place.utf8.count <= 16, place.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .invalid("give the place that the call before answered, or none")
        }
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
        try await all(progress) { place throws(TodoError) in
            try await self.spread(visibility, to: id, of: uid, from: place)
        }
    }

    /// Removes a goal, and takes it from all todos that have it.
    ///
    /// - Parameter progress: called after each part with what was done so far.
    /// - Returns: what was done altogether.
    @discardableResult
    package func remove(
        _ id: String,
        of uid: String,
        _ progress: @LoopActor (GoalSpread) -> Void = { _ in }
    ) async throws(TodoError) -> GoalSpread {
        try await all(progress) { place throws(TodoError) in try await self.remove(id, of: uid, from: place) }
    }

    private func all(
        _ progress: @LoopActor (GoalSpread) -> Void,
        _ part: @LoopActor (_ place: String?) async throws(TodoError) -> GoalSpread
    ) async throws(TodoError) -> GoalSpread {
        var all = GoalSpread(changed: 0, seen: 0, next: nil)
        repeat {
            let part = try await part(all.next)
            all.changed += part.changed
            all.seen += part.seen
            all.broken += part.broken
            all.next = part.next
            progress(all)
        } while all.next != nil
        return all
    }

    /// Puts a goal before or behind another one: by one write, unless there is no number left between its new neighbours.
    ///
    /// - Returns: all goals as they are then, in list order.
    @discardableResult
    package func move(_ id: String, of uid: String, to place: GoalPlace) async throws(TodoError) -> [Goal] {
        let goals = try await goals(of: uid)
        for (id, position) in try place.positions(of: id, among: goals) {
            try await set(GoalPatch(id: id, position: position), of: uid)
        }
        return try await self.goals(of: uid)
    }
}
