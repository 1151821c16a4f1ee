package import EventLoop
import RedisClient
package import TodoMate

/// Users' goals in Redis.
@LoopActor
package final class RedisGoalStore: GoalStoreType {
    private let functions: TodoFunctions
    private let relations: RedisRelationStore

    init(_ functions: TodoFunctions, _ relations: RedisRelationStore) {
        (self.functions, self.relations) = (functions, relations)
    }

    package func goals(of uid: String) async throws(TodoError) -> [Goal] {
        try await relations.profile(of: uid).settings.goals.sorted(by: Goal.isInListOrder)
    }

    @discardableResult
    package func set(_ patch: GoalPatch, of uid: String) async throws(TodoError) -> Goal {
        struct Answer: Decodable {
            var settings: AccountSettings
        }
        try patch.check()
        let reply = try await functions.write("todomate_set_goal", uid, [patch.json], isRepeatable: true)
        let answer: Answer = try StoredJSON.read(reply.bytes, of: uid)
        guard let goal = answer.settings.goals.first(where: { $0.id == patch.id }) else {
            throw .broken("todomate_set_goal answered without the goal")
        }
        return goal
    }

    package func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread {
        try await sweep("todomate_spread_goal", uid, id, [visibility.rawValue], place)
    }

    package func remove(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread {
        try await sweep("todomate_remove_goal", uid, id, [], place)
    }

    private func sweep(
        _ function: String,
        _ uid: String,
        _ id: String,
        _ words: [String],
        _ place: String?
    ) async throws(TodoError) -> GoalSpread {
        try TodoBounds.id(id)
        try GoalSpread.check(place)
        let all = [id] + words + [place ?? "0"]
        let reply = try await functions.write(function, uid, all, isRepeatable: true).array ?? []
        guard reply.count == 4, let next = reply[0].string, let changed = reply[1].integer,
            let seen = reply[2].integer, let broken = reply[3].integer
        else { throw .broken("\(function) answered something else than how far it is") }
        return GoalSpread(changed: changed, seen: seen, broken: broken, next: next.isEmpty ? nil : next)
    }
}
