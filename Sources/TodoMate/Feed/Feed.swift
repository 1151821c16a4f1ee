/// An event of a todo in a feed.
///
///     {"id":"58-1763677123456789","type":"added","at":1763677123456789,"todo":{…}}
public struct FeedItem: Sendable, Equatable, Codable {
    /// What feeds list.
    public enum Event: String, Sendable, Codable, CaseIterable {
        /// The todo was added.
        case added
        /// The todo was finished.
        case finished
    }
    /// The owner's change that it was.
    public var id: String
    /// What happened.
    public var type: Event
    /// When, in microseconds since 1970.
    public var at: Int
    /// The todo as it is when the feed is read.
    public var todo: TodoDTO

    package init(id: String, type: Event, at: Int, todo: TodoDTO) {
        (self.id, self.type, self.at, self.todo) = (id, type, at, todo)
    }

    /// The item as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject(["id": id, "type": type.rawValue, "at": at, "todo": RawJSON(todo.json)]).text
    }

    /// The order of feeds: the newest first; of one moment, by owner.
    package static func isNewer(_ left: FeedItem, _ right: FeedItem) -> Bool {
        left.at != right.at ? left.at > right.at : left.todo.toModel().uid < right.todo.toModel().uid
    }
}

/// One person's reaction to a todo.
///
///     {"uid":"bob","emoji":"🎉"}
public struct Reaction: Sendable, Equatable, Codable {
    /// Who reacted.
    public var uid: String
    /// With what.
    public var emoji: String

    /// The reaction as JSON, in exactly the spelling above.
    package var json: String { JSONObject(["uid": uid, "emoji": emoji]).text }
}
