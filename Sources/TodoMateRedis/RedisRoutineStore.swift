package import EventLoop
import RedisClient
package import TodoMate

/// Users' routines in Redis.
@LoopActor
package final class RedisRoutineStore: RoutineStoreType {
    private let functions: TodoFunctions
    private let relations: RedisRelationStore

    init(_ functions: TodoFunctions, _ relations: RedisRelationStore) {
        (self.functions, self.relations) = (functions, relations)
    }

    package func routines(of uid: String) async throws(TodoError) -> [Routine] {
        try await relations.profile(of: uid).settings.routines.sorted(by: Routine.isInListOrder)
    }

    @discardableResult
    package func set(_ patches: [RoutinePatch], of uid: String) async throws(TodoError) -> [Routine] {
        guard (1...Routine.most).contains(patches.count) else {
            throw .invalid("give 1 to \(Routine.most) routines")
        }
        for patch in patches { try patch.check() }
        return try await write("todomate_set_routines", uid, patches.map(\.json), isRepeatable: true)
    }

    @discardableResult
    package func skip(
        _ day: CalendarDate,
        of routine: String,
        of uid: String,
        isBack: Bool
    ) async throws(TodoError) -> [Routine] {
        let words = [routine, String(day.ordinal)] + (isBack ? ["back"] : [])
        return try await write("todomate_skip_day", uid, words, isRepeatable: true)
    }

    @discardableResult
    package func split(
        _ routine: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) async throws(TodoError) -> [Routine] {
        try other?.check()
        let words = [routine, String(day.ordinal)] + [RoutinePatch.split(into: other, seen: seen)].compactMap(\.self)
        return try await write("todomate_split_routine", uid, words, isRepeatable: false)
    }

    private func write(
        _ function: String,
        _ uid: String,
        _ words: [String],
        isRepeatable: Bool
    ) async throws(TodoError) -> [Routine] {
        struct Answer: Decodable {
            var settings: AccountSettings
        }
        let reply = try await functions.write(function, uid, words, isRepeatable: isRepeatable)
        let answer: Answer = try StoredJSON.read(reply.bytes, of: uid)
        return answer.settings.routines.sorted(by: Routine.isInListOrder)
    }
}
