import EventLoop

/// Users' goals in this process.
@LoopActor
final class InMemoryGoalStore: GoalStoreType {
    private static let sweepMost = 100

    private let database: InMemoryDatabase
    private let relations: InMemoryRelationStore
    private unowned let todos: InMemoryTodoRepository

    init(_ database: InMemoryDatabase, _ relations: InMemoryRelationStore, _ todos: InMemoryTodoRepository) {
        (self.database, self.relations, self.todos) = (database, relations, todos)
    }

    func goals(of uid: String) async throws(TodoError) -> [Goal] {
        try TodoBounds.uid(uid)
        return database[uid].account.goals.values.sorted(by: Goal.isInListOrder)
    }

    func set(_ patch: GoalPatch, of uid: String) async throws(TodoError) -> Goal {
        try await database.once("goal \(patch)", of: uid) { () throws(TodoError) in try put(patch, of: uid) }
    }

    private func put(_ patch: GoalPatch, of uid: String) throws(TodoError) -> Goal {
        try TodoBounds.uid(uid)
        try patch.check()
        try database.refuseWhileLeaving(uid)
        let account = database[uid].account
        let before = account.goals[patch.id]
        let id = database.nextID(of: uid)
        let goal = try patch.applied(to: before, position: Double(id.version), visibility: account.visibility)
        guard before != nil || account.goals.count < Goal.most else {
            throw .full("\(uid) has \(Goal.most) goals already: remove one of them first")
        }
        guard goal != before else { return goal }
        database[uid].account.goals[goal.id] = goal
        relations.commitSettings(of: uid, id)
        return goal
    }

    func spread(
        _ visibility: Visibility,
        to id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread {
        try await database.once("spread \(visibility) \(id) \(place ?? "")", of: uid) { () throws(TodoError) in
            try await spreadOver(visibility, id, of: uid, from: place)
        }
    }

    private func spreadOver(
        _ visibility: Visibility,
        _ id: String,
        of uid: String,
        from place: String?
    ) async throws(TodoError) -> GoalSpread {
        try TodoBounds.uid(uid)
        try TodoBounds.id(id)
        try GoalSpread.check(place)
        let goal = try database.goal(id, of: uid)
        guard goal.visibility == visibility else {
            throw .conflict(
                "todos of this goal are for \(goal.visibility) now, not for \(visibility): look at it again",
                current: nil
            )
        }
        let all = database[uid].todos.values.filter { $0.goal == id && $0.visibility != goal.visibility }
        let some = all.sorted(by: Todo.isInListOrder).prefix(Self.sweepMost)
        for todo in some {
            _ = try await todos.update(todo.id, of: uid, with: TodoPatch(visibility: goal.visibility), expecting: nil)
        }
        return spread(some.count, of: all.count, uid)
    }

    func remove(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread {
        try await database.once("remove goal \(id) \(place ?? "")", of: uid) { () throws(TodoError) in
            try await takeAway(id, of: uid, from: place)
        }
    }

    private func takeAway(_ id: String, of uid: String, from place: String?) async throws(TodoError) -> GoalSpread {
        try TodoBounds.uid(uid)
        try TodoBounds.id(id)
        try GoalSpread.check(place)
        if let goal = database[uid].account.goals[id] {
            try database.refuseWhileLeaving(uid)
            let change = database.nextID(of: uid)
            database[uid].account.goals[id] = nil
            for (name, var routine) in database[uid].account.routines where routine.goal == id {
                // Its todos stay for those whom they were for.
                (routine.goal, routine.visibility) = (nil, routine.visibility ?? goal.visibility)
                database[uid].account.routines[name] = routine
            }
            relations.commitSettings(of: uid, change)
        }
        let all = database[uid].todos.values.filter { $0.goal == id }
        let some = all.sorted(by: Todo.isInListOrder).prefix(Self.sweepMost)
        for todo in some {
            _ = try await todos.update(todo.id, of: uid, with: TodoPatch(goal: ""), expecting: nil)
        }
        return spread(some.count, of: all.count, uid)
    }

    private func spread(_ changed: Int, of all: Int, _ uid: String) -> GoalSpread {
        let isOver = changed == all
        return GoalSpread(changed: changed, seen: isOver ? database[uid].todos.count : 0, next: isOver ? nil : "1")
    }
}

extension InMemoryDatabase {
    /// A goal that is there.
    func goal(_ id: String, of uid: String) throws(TodoError) -> Goal {
        guard let goal = self[uid].account.goals[id] else {
            throw .invalid("there is no goal with the id \(id): make it first")
        }
        return goal
    }
}
