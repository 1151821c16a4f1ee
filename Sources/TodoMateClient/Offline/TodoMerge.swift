import TodoMate

/// A field of a todo that was changed on two sides: what was done here stands, as the later word, and the person is told.
public struct Overwritten: Sendable, Equatable, Codable {
    /// Which todo.
    public let todo: String
    /// Which field: `content`, `detail`, `status`, `date`, `time`, `visibility` or `goal`.
    public let field: String
    /// What was written elsewhere meanwhile; the todo's history on the server has it as well.
    public let theirs: String
    /// What stands now.
    public let mine: String
}

/// Merges what was done here with what the server has meanwhile, field by field.
///
/// | elsewhere | here | the field |
/// |---|---|---|
/// | as it was seen | changed | as here |
/// | changed | not touched | as elsewhere: a patch leaves it alone |
/// | changed | changed alike | as both, and not sent |
/// | changed | changed otherwise | as here, and it is told |
///
/// Of two places in a list nobody needs to be told.
struct TodoMerge {
    /// What is left to be sent.
    private(set) var patch: TodoPatch
    /// What is overwritten.
    private(set) var overwritten: [Overwritten] = []

    /// - Parameters:
    ///   - patch: what was done here.
    ///   - seen: the todo on which it was done; nil where nothing is known of that.
    ///   - theirs: the todo as the server has it.
    init(_ patch: TodoPatch, seen: Todo?, theirs: Todo) {
        self.patch = patch
        let seen = seen ?? theirs
        merge("date", \.date, seen.date, theirs.date, theirs.id, tells: true) { $0.description }
        merge("time", \.time, TimeChange(to: seen.time), TimeChange(to: theirs.time), theirs.id, tells: true) {
            $0.text
        }
        merge("content", \.content, seen.content, theirs.content, theirs.id, tells: true) { $0 }
        merge("detail", \.detail, seen.detail, theirs.detail, theirs.id, tells: true) { $0 }
        merge("status", \.status, seen.status, theirs.status, theirs.id, tells: true) { $0.rawValue }
        merge("visibility", \.visibility, seen.visibility, theirs.visibility, theirs.id, tells: true) { $0.rawValue }
        merge("goal", \.goal, seen.goal ?? "", theirs.goal ?? "", theirs.id, tells: true) { $0 }
        // On another day the same place is another one.
        guard self.patch.date == nil else { return }
        merge("position", \.position, seen.position, theirs.position, theirs.id, tells: false) { "\($0)" }
    }

    private mutating func merge<Value: Equatable>(
        _ name: String,
        _ field: WritableKeyPath<TodoPatch, Value?>,
        _ seen: Value,
        _ theirs: Value,
        _ todo: String,
        tells: Bool,
        _ text: (Value) -> String
    ) {
        guard let mine = patch[keyPath: field] else { return }
        if theirs == mine {
            patch[keyPath: field] = nil
        } else if theirs != seen, tells {
            overwritten.append(Overwritten(todo: todo, field: name, theirs: text(theirs), mine: text(mine)))
        }
    }
}
