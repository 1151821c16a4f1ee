import TodoMate

/// A day's todos by what they are for: the goals in their order, and at the end what is for none that is known.
struct GoalGroups {
    private let goals: [Goal]

    /// - Parameter goals: in list order.
    init(_ goals: [Goal]) { self.goals = goals }

    /// The place of what a todo is for among the groups.
    func place(of todo: Todo) -> Int { goals.firstIndex { $0.id == todo.goal } ?? goals.count }

    /// What a todo is for; nil for none that is known.
    func goal(of todo: Todo) -> Goal? {
        let place = place(of: todo)
        return place < goals.count ? goals[place] : nil
    }

    /// The todos as they stand by goals; those of one goal in the order that they had.
    func ordered(_ todos: [Todo]) -> [Todo] {
        let places = todos.enumerated().map { (group: place(of: $1), index: $0) }
        return places.sorted { ($0.group, $0.index) < ($1.group, $1.index) }.map { todos[$0.index] }
    }

    /// The places of the first todos of each group, among todos that stand by goals; none where all are for nothing.
    func beginnings(in todos: [Todo]) -> [Int] {
        guard todos.contains(where: { goal(of: $0) != nil }) else { return [] }
        return todos.indices.filter { $0 == 0 || place(of: todos[$0]) != place(of: todos[$0 - 1]) }
    }
}
