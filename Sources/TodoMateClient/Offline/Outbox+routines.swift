import Foundation
import TodoMate

/// What was done with the days of routines.
extension Outbox {
    /// A routine's day is left out, or is there again.
    ///
    /// - Parameter seen: the todo of that day, as it is before it is made.
    mutating func skip(_ seen: Todo, isBack: Bool, key: String, at made: Date) throws(TodoError) -> [Step] {
        if let index = mergeable(seen.id), case .skip(let wasBack) = entries[index].intent {
            // The one takes back the other, of which the server knows nothing.
            return wasBack == isBack ? [] : [drop(at: index)]
        }
        try checkRoom()
        return append(.skip(isBack: isBack), seen.id, seen: seen, key, made)
    }

    /// Settings as they are shown: what the server has, and on top of it which days were made, left out or taken back here.
    func projected(_ settings: AccountSettings) -> AccountSettings {
        var shown = settings
        for entry in entries where !entry.isRefused {
            switch entry.intent {
            case .add: shown.noteMade(entry.todo)
            case .edit: if entry.unmade != nil { shown.noteMade(entry.todo) }
            case .remove: break
            case .skip(let isBack): if isBack { shown.noteTakenBack(entry.todo) } else { shown.noteMade(entry.todo) }
            }
        }
        return shown
    }

    /// Whether nothing that is before an entry makes a todo of the same routine's day.
    func isUnmadeBefore(_ index: Int) -> Bool {
        entries[..<index].allSatisfy { $0.todo != entries[index].todo || !$0.isOpen || $0.intent.isSkip }
    }
}

extension OutboxEntry.Intent {
    /// Whether it is about a routine's day of which nothing is made.
    var isSkip: Bool { if case .skip = self { true } else { false } }
}
