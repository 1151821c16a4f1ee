import EventLoop
import Foundation
import TodoMate

/// Routines with or without a network: as they were seen last, with the days that were made, left out or taken back here. What changes a
/// routine itself needs the server.
@LoopActor
final class OfflineRoutineStore: RoutineStoreType {
    private let own: OfflineTodos
    private let online: any RoutineStoreType
    private let relations: any RelationStoreType
    private let now: @LoopActor () -> Date

    init(
        _ own: OfflineTodos,
        online: any RoutineStoreType,
        _ relations: any RelationStoreType,
        now: @escaping @LoopActor () -> Date = { Date() }
    ) {
        (self.own, self.online, self.relations, self.now) = (own, online, relations, now)
    }

    func routines(of uid: String) async throws(TodoError) -> [Routine] {
        guard uid == own.uid else { return try await online.routines(of: uid) }
        return try await relations.profile(of: uid).settings.routines.sorted(by: Routine.isInListOrder)
    }

    /// What is known here of a routine's day waits to be sent.
    func skip(_ day: CalendarDate, of id: String, of uid: String, isBack: Bool) async throws(TodoError) -> [Routine] {
        guard uid == own.uid, let settings = own.shownSettings,
            let routine = settings.routines.first(where: { $0.id == id }),
            routine.rule.contains(day, from: routine.from)
        else {
            return try await onlyOnline("a day of a routine that is not known here") { () throws(TodoError) in
                try await online.skip(day, of: id, of: uid, isBack: isBack)
            }
        }
        let todo = routine.todo(on: day, of: uid, usual: settings.usualVisibility(for: routine.goal))
        guard !isBack || own.shown[todo.id] == nil else {
            throw .exists("the todo \(todo.id) is still there: remove it first")
        }
        if routine.made.contains(day) == isBack {
            try own.perform { (outbox) throws(TodoError) in
                try outbox.skip(todo, isBack: isBack, key: RandomID.next(), at: now())
            }
            own.send()
        }
        return (own.shownSettings ?? settings).routines.sorted(by: Routine.isInListOrder)
    }

    func set(_ patches: [RoutinePatch], of uid: String) async throws(TodoError) -> [Routine] {
        try await onlyOnline("a change of routines") { () throws(TodoError) in
            try await online.set(patches, of: uid)
        }
    }

    func split(
        _ routine: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) async throws(TodoError) -> [Routine] {
        try await onlyOnline("a change of routines") { () throws(TodoError) in
            try await online.split(routine, of: uid, on: day, into: other, seen: seen)
        }
    }
}
