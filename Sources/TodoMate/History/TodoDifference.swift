/// What a change made different in a todo.
package enum TodoDifference: Sendable, Equatable {
    case content(from: String)
    case detail
    case status(from: TodoStatus)
    case date(from: CalendarDate)
    case time(from: TimeOfDay?)
    case goal
    /// Another place within its day.
    case position
    case visibility(from: Visibility)
    /// Somebody has reacted, or taken that back; nobody notes here who it was.
    case reactions
}

extension TodoHistory {
    /// What the entry at an index made different; nil where that is not known, as what was before is not in the log.
    ///
    /// Empty for what left all as it was: an index that was repaired, for instance. Not for what was added or removed.
    package func differences(at index: Int) -> [TodoDifference]? {
        let entry = entries[index]
        guard index + 1 < entries.count, entries[index + 1].kind != .removed else {
            // The message itself says two of them.
            let known: [TodoDifference?] = [
                entry.statusBefore.map { .status(from: $0) }, entry.visibilityBefore.map { .visibility(from: $0) },
            ]
            let all = known.compactMap { $0 }
            return all.isEmpty ? nil : all
        }
        return Self.differences(from: entries[index + 1].todo, to: entry.todo)
    }

    /// What is different between two states of a todo.
    package static func differences(from before: Todo, to after: Todo) -> [TodoDifference] {
        var all: [TodoDifference] = []
        if before.content != after.content { all.append(.content(from: before.content)) }
        if before.detail != after.detail { all.append(.detail) }
        if before.status != after.status { all.append(.status(from: before.status)) }
        // A todo that comes to another day gets another place there in any case.
        if before.date != after.date {
            all.append(.date(from: before.date))
        } else if before.position != after.position {
            all.append(.position)
        }
        if before.time != after.time { all.append(.time(from: before.time)) }
        if before.goal != after.goal { all.append(.goal) }
        if before.visibility != after.visibility { all.append(.visibility(from: before.visibility)) }
        if before.reactions != after.reactions { all.append(.reactions) }
        return all
    }
}
