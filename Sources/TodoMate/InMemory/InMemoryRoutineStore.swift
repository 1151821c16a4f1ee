import EventLoop
import Foundation

/// Users' routines in this process.
@LoopActor
final class InMemoryRoutineStore: RoutineStoreType {
    private let database: InMemoryDatabase
    private let relations: InMemoryRelationStore

    init(_ database: InMemoryDatabase, _ relations: InMemoryRelationStore) {
        (self.database, self.relations) = (database, relations)
    }

    func routines(of uid: String) async throws(TodoError) -> [Routine] {
        try TodoBounds.uid(uid)
        return all(uid)
    }

    func set(_ patches: [RoutinePatch], of uid: String) async throws(TodoError) -> [Routine] {
        try await database.once("routines \(patches)", of: uid) { () throws(TodoError) in try put(patches, of: uid) }
    }

    private func put(_ patches: [RoutinePatch], of uid: String) throws(TodoError) -> [Routine] {
        try TodoBounds.uid(uid)
        try database.refuseWhileLeaving(uid)
        guard (1...Routine.most).contains(patches.count), Set(patches.map(\.id)).count == patches.count else {
            throw .invalid("each routine must be given only once, and 1 to \(Routine.most) of them")
        }
        var routines = database[uid].account.routines
        let before = routines
        for patch in patches {
            try patch.check()
            if patch.seen != nil || patch.heir != nil { try Self.check(try find(patch.id, of: uid), patch.seen) }
            routines[patch.id] = patch.isEnded ? nil : try changed(routines[patch.id], by: patch, of: uid)
        }
        for patch in patches {
            guard let id = patch.heir else { continue }
            guard var heir = routines[id] else { throw .notFound("\(uid) has no routine with the id \(id)") }
            heir.made += before[patch.id]?.made ?? []
            routines[id] = try database.remembering(nil, by: heir)
        }
        return try commit(routines, of: uid)
    }

    func skip(_ day: CalendarDate, of id: String, of uid: String, isBack: Bool) async throws(TodoError) -> [Routine] {
        try await database.once("skip \(day) \(id) \(isBack)", of: uid) { () throws(TodoError) in
            try leaveOut(day, of: id, of: uid, isBack: isBack)
        }
    }

    private func leaveOut(
        _ day: CalendarDate,
        of id: String,
        of uid: String,
        isBack: Bool
    ) throws(TodoError) -> [Routine] {
        var routine = try find(id, of: uid)
        try database.refuseWhileLeaving(uid)
        guard day >= database.earliestRemembered, routine.rule.contains(day, from: routine.from) else {
            throw .invalid("the routine \(id) has no day \(day.ordinal), or that was long ago")
        }
        if isBack {
            let todo = Routine.id(of: id, on: day)
            guard database[uid].todos[todo] == nil else {
                throw .exists("the todo \(todo) is still there: remove it first")
            }
            routine.made.removeAll { $0 == day }
        }
        var routines = database[uid].account.routines
        routines[id] = try database.remembering(isBack ? nil : day, by: routine)
        return try commit(routines, of: uid)
    }

    func split(
        _ id: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) async throws(TodoError) -> [Routine] {
        let request = "split \(id) \(day) \(other.map { "\($0)" } ?? "") \(seen?.description ?? "")"
        return try await database.once(request, of: uid) { () throws(TodoError) in
            try divide(id, of: uid, on: day, into: other, seen: seen ?? other?.seen)
        }
    }

    private func divide(
        _ id: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) throws(TodoError) -> [Routine] {
        // Asked first: who says again what was done gets to know that, whatever has become of the old one.
        if let other, other.id == id || database[uid].account.routines[other.id] != nil {
            throw .exists("there is a routine with the id \(other.id) already: choose another id")
        }
        var old = try find(id, of: uid)
        try database.refuseWhileLeaving(uid)
        try Self.check(old, seen)
        var routines = database[uid].account.routines
        let last = old.rule.last(from: old.from) ?? old.from
        if let other {
            try other.check()
            guard other.made == nil, !other.isEnded, other.from ?? day >= day else {
                throw .invalid("give neither made nor ended, and no day before the one on which the other routine ends")
            }
            guard other.rule != nil || old.rule.contains(day, from: old.from) else {
                throw .invalid("the routine \(id) has no day \(day.ordinal): give one of its days, or another rule")
            }
            guard last >= day else {
                throw .conflict("the routine \(id) ended before \(day.ordinal): read it again and retry", current: nil)
            }
            var new = old
            (new.from, new.made, new.rule) = (day, old.made.filter { $0 >= day }, old.rest(from: day))
            routines[other.id] = try changed(new, by: other, of: uid)
        }
        if last >= day {
            old.rule.end = day > .earliest ? .until(day.adding(days: -1)) : nil
            old.made.removeAll { $0 >= day }
            let isLeft = day > .earliest && old.rule.last(from: old.from) != nil
            routines[id] = isLeft ? try database.remembering(nil, by: old) : nil
        }
        return try commit(routines, of: uid)
    }

    private func all(_ uid: String) -> [Routine] {
        database[uid].account.routines.values.sorted(by: Routine.isInListOrder)
    }

    private func find(_ id: String, of uid: String) throws(TodoError) -> Routine {
        try TodoBounds.uid(uid)
        try Routine.checked(id)
        guard let routine = database[uid].account.routines[id] else {
            throw .notFound("\(uid) has no routine with the id \(id)")
        }
        return routine
    }

    /// Refuses where a routine has another rule than whoever changes it saw.
    private static func check(_ routine: Routine, _ seen: RoutineRule?) throws(TodoError) {
        guard seen == nil || seen == routine.rule else {
            throw .conflict(
                "the rule of the routine \(routine.id) is now \(routine.rule): read it again and retry",
                current: nil
            )
        }
    }

    private func changed(_ routine: Routine?, by patch: RoutinePatch, of uid: String) throws(TodoError) -> Routine {
        if let goal = patch.goal, !goal.isEmpty, goal != routine?.goal { _ = try database.goal(goal, of: uid) }
        let position = Double(database.nextID(of: uid).version)
        return try database.remembering(nil, by: try patch.applied(to: routine, position: position))
    }

    private func commit(_ routines: [String: Routine], of uid: String) throws(TodoError) -> [Routine] {
        let before = database[uid].account.routines
        guard routines != before else { return all(uid) }
        guard routines.count <= max(Routine.most, before.count) else {
            throw .full("\(uid) has \(Routine.most) routines already: end one of them first")
        }
        guard Routine.size(routines.values) <= max(Routine.bytesMost, Routine.size(before.values)) else {
            throw .full("the routines of \(uid) take as much as they may: shorten or end some first")
        }
        let id = database.nextID(of: uid)
        database[uid].account.routines = routines
        relations.commitSettings(of: uid, id)
        return all(uid)
    }
}

extension InMemoryDatabase {
    /// The earliest day that routines remember.
    var earliestRemembered: CalendarDate {
        let seconds = Double(microseconds / 1_000_000)
        return CalendarDate(Date(timeIntervalSince1970: seconds), in: .gmt).adding(days: -Routine.remembered)
    }

    /// A routine without the days that passed long ago, and with one more if there is any.
    func remembering(_ day: CalendarDate?, by routine: Routine) throws(TodoError) -> Routine {
        var routine = routine
        let days = Set(routine.made + [day].compactMap(\.self)).filter { $0 >= earliestRemembered }
        guard days.count <= Routine.mostMade else {
            throw .full(
                "the routine \(routine.id) has \(Routine.mostMade) days that were made or skipped: end it and begin another"
            )
        }
        routine.made = days.sorted()
        return routine
    }

    /// The routine of a day that an update makes a todo of, with that day remembered, and the todo to be added.
    func instance(_ id: String, of uid: String, with patch: TodoPatch) throws(TodoError) -> (Routine, TodoDraft) {
        guard let (name, day) = Routine.parts(ofID: id), let routine = self[uid].account.routines[name] else {
            throw .notFound("\(uid) has no todo with the id \(id)")
        }
        guard day >= earliestRemembered, !routine.made.contains(day), routine.rule.contains(day, from: routine.from)
        else {
            throw .notFound(
                "\(uid) has no todo with the id \(id): the routine has no such day, or it was skipped or removed"
            )
        }
        // Only what is asked for now has to be there.
        let goal = patch.goal ?? routine.goal.flatMap { self[uid].account.goals[$0] == nil ? nil : $0 }
        let isMoved = patch.date != nil && patch.date != day
        let draft = TodoDraft(
            id: id,
            date: patch.date ?? day,
            time: patch.time.map(\.time) ?? routine.time,
            content: patch.content ?? routine.content,
            detail: patch.detail ?? "",
            status: patch.status ?? .todo,
            position: patch.position ?? (isMoved ? nil : routine.position),
            visibility: patch.visibility ?? routine.visibility,
            goal: goal.flatMap { $0.isEmpty ? nil : $0 }
        )
        return (try remembering(day, by: routine), draft)
    }
}
