/// The names that a user's data have in Redis; all of one user share the hash tag `{uid}`.
///
/// | name | type | content |
/// |---|---|---|
/// | `todomate:{alice}:todos` | hash | todo id → the todo's JSON |
/// | `todomate:{alice}:days` | sorted set | todo id, scored by its date as the number yyyymmdd |
/// | `todomate:{alice}:log` | stream | the last changes, about 1,000; entry id = change id, field `change` = the message |
/// | `todomate:{alice}:feed` | stream | what the log has forgotten and feeds still list; gone after two days |
/// | `todomate:{alice}:open` | hash | day as yyyymmdd → how many of its todos are open |
/// | `todomate:{alice}:reactions:<todo id>` | hash | who reacted → the emoji |
/// | `todomate:{alice}:profile` | hash | the password's hash, the account's `generation`; `audience`, `visibility`, `feedSeen`, `name`, … |
/// | `todomate:{alice}:sessions` | hash | id of a sign-in or token → what is known of it |
/// | `todomate:{alice}:events` | stream | what happened to the account, the last hundred events |
/// | `todomate:{alice}:invitations` | hash | id of an invitation → when it ends, how often it may be used, who came by it |
/// | `todomate:{alice}:identities` | hash | digest of an identity at an OpenID provider → what is known of it |
/// | `todomate:{<digest>}:identity` | hash | `user`: whom that identity belongs to |
/// | `todomate:{alice}:factor` | hash | the second factor: the sealed secret, the last step, digests of recovery codes |
/// | `todomate:{alice}:goals` | hash | goal id → the goal's JSON |
/// | `todomate:{alice}:routines` | hash | routine id → the routine's JSON |
/// | `todomate:{alice}:operations`, `…:visits` | hashes | writes that may be said again, her own and others' reactions → what they were answered |
/// | `todomate:{alice}:following` | hash | users that alice follows → state, time of the request, position in her order |
/// | `todomate:{alice}:followers`, `…:requests`, `…:blocked` | sorted sets | who follows her, asks to, may not; scored by when |
/// | `todomate:{alice}:unsettled` | hash | those whose own side may not know yet what became of them |
/// | `todomate:{alice}:cut` | hash | from whom a block has parted → what there was, for ten minutes |
/// | `todomate:{alice}:away` | hash | who is about to delete the account → what alice granted them |
/// | `todomate:{alice}:addresses` | sorted set | the last 20 address ranges that signed in, scored by when |
/// | `todomate:{alice}:changes` | channel | one message a change; one without an id where sessions have ended |
/// | `todomate:announcement` | hash | `current` → what an operator announces to all, as JSON; gone once it is over |
/// | `todomate:leaving` | sorted set | accounts that are to be deleted, scored by when; `todomate:leaving:lease` is held by one worker |
/// | `todomate:alike:<look>` | hash | name that looks so → when it was noted, in seconds: accounts, and those being made |
/// | `todomate:mails:<kind>:<key>:<number>` | string | one mail or new account of those that there may be; gone when there may be another |
/// | `todomate:library` | string | held for a moment by the worker that replaces the function library; `todomate:library:{<number>}` in a cluster |
package enum TodoKeys {
    /// What a user's keys hold; the raw value stands behind the user in the key.
    package enum Part: String, CaseIterable, Sendable {
        case todos, days, log, feed, open, reactions, profile, sessions, invitations, following, followers
        case requests, blocked, unsettled, away, cut, addresses, events, identities, factor, goals, routines,
            operations,
            visits
        /// Behind the digest of an identity, not a user.
        case identity

        /// The type of the key, as the command TYPE says it.
        package var type: String {
            switch self {
            case .todos, .open, .reactions, .profile, .sessions, .invitations, .identities, .identity, .following,
                .unsettled, .factor, .away, .cut, .goals, .routines, .operations, .visits:
                "hash"
            case .days, .followers, .requests, .blocked, .addresses: "zset"
            case .log, .feed, .events: "stream"
            }
        }

        /// Whether the key vanishes by itself.
        package var expires: Bool { [.feed, .cut, .addresses, .operations, .visits].contains(self) }

        /// Whether there is one for each of a user's todos, whose id stands behind it.
        package var isOfTodo: Bool { self == .reactions }
    }

    /// The key that the functions are called with; they derive the others from it.
    package static func user(_ uid: String) -> String { "todomate:{\(uid)}" }

    /// A key of a user's.
    package static func key(_ part: Part, of uid: String) -> String { "todomate:{\(uid)}:\(part.rawValue)" }

    /// Matches all users' keys of this kind.
    package static func every(_ part: Part) -> String { key(part, of: "*") + (part.isOfTodo ? ":*" : "") }

    /// Matches all keys of all users.
    package static let everyKey = user("*") + ":*"

    /// The user that a key is of, and what it holds; nil for a key that TodoMate does not know.
    package static func parts(of key: String) -> (uid: String, part: Part)? {
        guard let match = key.wholeMatch(of: /todomate:\{([A-Za-z0-9._@-]{1,64})\}:([a-z]+)(:.*)?/),
            let part = Part(rawValue: String(match.2)), part.isOfTodo == (match.3 != nil)
        else { return nil }
        return (String(match.1), part)
    }

    /// The channel of a user's changes.
    package static func channel(of uid: String) -> String { user(uid) + ":changes" }

    /// Matches the channels of all users.
    package static let everyChannel = channel(of: "*")

    /// What an operator announces to all.
    package static let announcement = "todomate:announcement"

    /// The accounts that are to be deleted, scored by when.
    package static let leaving = "todomate:leaving"

    /// Stands before a look, in the key of the names that look so.
    package static let alike = "todomate:alike:"

    /// Stands before a kind, a key and a number, in what is there for as long as a mail counts.
    package static let mails = "todomate:mails:"

    /// Held by the worker that looks after them.
    package static let leavingLease = "todomate:leaving:lease"

    /// Held by the worker that replaces the function library.
    package static let libraryLock = "todomate:library"

    /// The same in a cluster, where each node has a library and a lock of its own, whose tag is in one of its slots.
    package static func libraryLock(_ tag: Int) -> String { "\(libraryLock):{\(tag)}" }

    /// The user whose changes a channel carries; nil for another channel.
    static func uid(ofChannel channel: String) -> String? { uid(of: channel, before: "}:changes") }

    /// The user of a key that is of this kind; nil for another key.
    static func uid(of key: String, _ part: Part) -> String? { uid(of: key, before: "}:\(part.rawValue)") }

    private static func uid(of key: String, before end: String) -> String? {
        guard key.hasPrefix("todomate:{"), key.hasSuffix(end) else { return nil }
        return String(key.dropFirst("todomate:{".count).dropLast(end.count))
    }
}
