package import EventLoop

/// What a user's log says became of one todo, or which todos were removed of late.
///
///     {"todo":{…},"since":1763677123456789,"reach":"trimmed","changes":[{"id":"58-1763677123456789","type":"modified",
///      "at":1763677123456789,"device":"Firefox on Linux","was":{"status":"todo"},"todo":{…}},…],"more":true}
///
/// A log keeps a user's last 1,000 changes or so: what was before them nobody knows any more. Nor does it say who reacted.
public struct TodoHistory: Sendable, Equatable {
    /// How far back a log goes.
    public enum Reach: String, Sendable, Codable, CaseIterable {
        /// To the first change of the user's.
        case whole
        /// As far as a log is kept: changes before it were dropped.
        case trimmed
        /// To where a new log began, as the one before was lost.
        case lost
    }

    /// One change of the todo.
    public struct Entry: Sendable, Equatable {
        /// The change.
        public var id: ChangeID
        /// What happened.
        public var kind: ChangeKind
        /// The todo after it; for a removal, its last state.
        public var todo: Todo
        /// The status before, if it has changed.
        public var statusBefore: TodoStatus?
        /// The visibility before, if it has changed.
        public var visibilityBefore: Visibility?
        /// By which device it was written; nil where nobody said, and for others' reactions.
        public var device: WritingDevice?

        /// An entry of these parts.
        package init(
            id: ChangeID,
            kind: ChangeKind,
            todo: Todo,
            statusBefore: TodoStatus? = nil,
            visibilityBefore: Visibility? = nil,
            device: WritingDevice? = nil
        ) {
            (self.id, self.kind, self.todo, self.device) = (id, kind, todo, device)
            (self.statusBefore, self.visibilityBefore) = (statusBefore, visibilityBefore)
        }
    }

    /// The most changes of one answer.
    package static let most = 100
    /// So many bytes of changes are enough for one answer.
    package static let bytesMost = 256 * 1024

    /// The todo as it is now; nil for one that is gone, and for a list of removals.
    public var todo: Todo?
    /// When the first change that the log has was, in microseconds since 1970; nil where there is no log.
    public var since: Int?
    /// How far back the log goes.
    public var reach: Reach
    /// The newest first.
    public var entries: [Entry]
    /// Whether the log may have older ones: they come before the last of these.
    public var hasMore: Bool

    /// A history of these parts.
    package init(
        todo: Todo? = nil,
        since: Int?,
        reach: Reach,
        entries: [Entry] = [],
        hasMore: Bool = false
    ) {
        (self.todo, self.since, self.reach) = (todo, since, reach)
        (self.entries, self.hasMore) = (entries, hasMore)
    }

    /// Leaves out by which devices the changes were made.
    package mutating func forgetDevices() {
        for index in entries.indices { entries[index].device = nil }
    }

    /// The history as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "todo": todo.map { RawJSON(TodoDTO($0).json) }, "since": since, "reach": reach.rawValue,
            "changes": entries.map { RawJSON($0.json) }, "more": hasMore ? true : nil,
        ]).text
    }
}

extension TodoHistory.Entry {
    /// The entry as JSON.
    package var json: String {
        let was = JSONObject(["status": statusBefore?.rawValue, "visibility": visibilityBefore?.rawValue])
        return JSONObject([
            "id": id.description, "type": kind.rawValue, "at": id.microseconds, "device": device?.description,
            "was": statusBefore == nil && visibilityBefore == nil ? nil : was, "todo": RawJSON(TodoDTO(todo).json),
        ]).text
    }

    /// The entry of a change; nil for one that was only published, or is of the account.
    @LoopActor
    package init?(_ change: TodoChange, by device: WritingDevice?) {
        guard let id = change.id, change.kind.isOfTodo else { return nil }
        self.init(
            id: id,
            kind: change.kind,
            todo: change.todo,
            statusBefore: change.statusBefore,
            visibilityBefore: change.visibilityBefore,
            device: device
        )
    }
}
