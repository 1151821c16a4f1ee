/// The names that a user's data have in Redis; all of one user share the hash tag `{uid}`.
///
/// | name | type | content |
/// |---|---|---|
/// | `todomate:{alice}:todos` | hash | todo id → the todo's JSON |
/// | `todomate:{alice}:days` | sorted set | todo id, scored by its date as the number yyyymmdd |
/// | `todomate:{alice}:log` | stream | the last changes, about 1,000; entry id = change id, field `change` = the message |
/// | `todomate:{alice}:feed` | stream | what the log has forgotten and feeds still tell of; gone after two days |
/// | `todomate:{alice}:open` | hash | day as yyyymmdd → how many of its todos are open |
/// | `todomate:{alice}:reactions:<todo id>` | hash | who reacted → the emoji |
/// | `todomate:{alice}:profile` | hash | the password's hash, the account's `generation`; `audience`, `visibility`, `feedSeen` |
/// | `todomate:{alice}:sessions` | hash | id of a sign-in or token → what is known of it |
/// | `todomate:{alice}:following` | hash | whom alice follows → state, when she asked, place in her order |
/// | `todomate:{alice}:followers`, `…:requests`, `…:blocked` | sorted sets | who follows her, asks to, may not; scored by when |
/// | `todomate:{alice}:unsettled` | hash | those whose own side may not know yet what became of them |
/// | `todomate:{alice}:addresses` | sorted set | the last 20 address ranges that signed in, scored by when |
/// | `todomate:{alice}:changes` | channel | one message a change; one without an id where sessions have ended |
/// | `todomate:library` | string | held for a moment by the worker that replaces the function library |
public enum TodoKeys {
    /// The key that the functions are called with; they derive the others from it.
    public static func user(_ uid: String) -> String { "todomate:{\(uid)}" }

    /// The hash of a user's todos.
    static func todos(of uid: String) -> String { "todomate:{\(uid)}:todos" }

    /// The sorted set of a user's todos by their days.
    static func days(of uid: String) -> String { "todomate:{\(uid)}:days" }

    /// The channel of a user's changes.
    public static func channel(of uid: String) -> String { "todomate:{\(uid)}:changes" }

    /// Held by the worker that replaces the function library.
    static let libraryLock = "todomate:library"

    /// Matches the channels of all users.
    static let everyChannel = "todomate:{*}:changes"

    /// The user whose changes a channel carries; nil for another channel.
    static func uid(ofChannel channel: String) -> String? {
        guard channel.hasPrefix("todomate:{"), channel.hasSuffix("}:changes") else { return nil }
        return String(channel.dropFirst("todomate:{".count).dropLast("}:changes".count))
    }
}
