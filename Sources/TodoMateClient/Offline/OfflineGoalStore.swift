import EventLoop
import TodoMate

/// Goals as they were seen last, with or without a network; what changes them needs the server.
@LoopActor
final class OfflineGoalStore: GoalStoreType {
    private let own: String
    private let online: any GoalStoreType
    private let relations: any RelationStoreType

    init(of own: String, online: any GoalStoreType, _ relations: any RelationStoreType) {
        (self.own, self.online, self.relations) = (own, online, relations)
    }

    func goals(of uid: String) async throws(TodoError) -> [Goal] {
        guard uid == own else { return try await online.goals(of: uid) }
        return try await relations.profile(of: uid).settings.goals.sorted(by: Goal.isInListOrder)
    }

    func set(_ patch: GoalPatch, of uid: String) async throws(TodoError) -> Goal {
        try await onlyOnline("a change of goals") { () throws(TodoError) in try await online.set(patch, of: uid) }
    }

    func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread {
        try await onlyOnline("a change of goals") { () throws(TodoError) in
            try await online.spread(visibility, to: id, of: uid, from: place)
        }
    }

    func remove(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread {
        try await onlyOnline("a change of goals") { () throws(TodoError) in
            try await online.remove(id, of: uid, from: place)
        }
    }
}
