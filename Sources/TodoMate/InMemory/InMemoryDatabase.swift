import EventLoop
import Foundation

/// What the stores of this process have in common: users, each with a log of changes and a channel.
///
/// Each write is one step on the loop, so that no reader sees half of one.
@LoopActor
final class InMemoryDatabase {
    /// All that is stored of a user.
    struct User {
        var todos: [String: Todo] = [:]
        var countByMonth: [CalendarMonth: Int] = [:]
        var log: [TodoChange] = []
        /// By which device a change of the log was written, where that is known.
        var devices: [ChangeID: WritingDevice] = [:]
        var latest = ChangeID.zero
        /// What was added or finished, in order.
        var events: [(id: ChangeID, type: FeedItem.Event, todo: String)] = []
        /// The emoji that people reacted with, by todo.
        var reactions: [String: [String: String]] = [:]
        var account = Account()
        /// The users that the user follows or asks to follow.
        var following: [String: Followed] = [:]
        /// Others by list, each with the time of the request or block, in microseconds since 1970.
        var others: [FollowerList: [String: Int]] = [:]
        /// Who is about to delete the account, and was in one of those lists.
        var away: [String: (list: FollowerList, time: Int)] = [:]
        /// From whom a block has parted: what there was, and until when that can be brought back, in seconds since 1970.
        var cut: [String: (following: Followed?, isFollower: Bool, until: Int)] = [:]
        /// What the user has done under operation ids, and what others have.
        var operations = InMemoryOperations()
        var visits = InMemoryOperations()

        func has(_ other: String, in list: FollowerList) -> Bool { others[list]?[other] != nil }
    }

    /// A user's settings, and what signing in needs.
    struct Account {
        var audience = Visibility.followers
        var visibility = Visibility.followers
        var feedSeen = 0
        var preferences = Preferences()
        var goals: [String: Goal] = [:]
        var routines: [String: Routine] = [:]
        var passwordHash: String?
        /// Zero before the first account of this name.
        var generation = 0
        var wasRemoved = false
        var sessions: [Session] = []
        var addresses: [String] = []
        /// The latest last.
        var events: [AccountEvent] = []
        var invitations: [Invitation] = []
        /// By which it came to be.
        var invitation: InvitationName?
        /// Whether who made that one may follow without asking.
        var welcomes = false
        var identities: [LinkedIdentity] = []
        /// What lets the password be set once, until a time in seconds since 1970.
        var reset: (id: String, expires: Int)?
        /// The same, of a link that was sent by mail.
        var mailedReset: (id: String, expires: Int)?
        /// The address that somebody who reads it has confirmed, and one that waits for that.
        var mail: String?
        var mailOffer: (id: String, expires: Int, address: String)?
        /// When it was made, in seconds since 1970.
        var made: Int?
        var suspension: Suspension?
        var role: AccountRole?
        var limits = AccountLimits()
        var factor: InMemoryFactorStore.Factor?
        /// A secret that waits for its first code, until a time in seconds since 1970.
        var pendingFactor: (sealed: String, end: Int)?
        /// When it is to be deleted, in seconds since 1970, and the audience that it gets back if it is not.
        var leaving: (due: Int, audience: Visibility)?

        /// Links for a new password and those that confirm an address are not good any more.
        mutating func endResets() { (reset, mailedReset, mailOffer) = (nil, nil, nil) }
    }

    private let logLength: Int
    private let now: @LoopActor () -> Date
    private(set) var users: [String: User] = [:]
    /// When each mail of a budget may be repeated, in seconds since 1970.
    var mails: [ExactBudget: [Int]] = [:]
    var announcement: Announcement?
    /// By user, those of each repository that shares the database.
    private var listeners: [String: [(repository: ObjectIdentifier, listener: any TodoChannelListener)]] = [:]
    private var streams: [Int: AsyncStream<DatabaseChange<TodoDTO>>.Continuation] = [:]
    private var nextStream = 0

    init(logLength: Int, now: @escaping @LoopActor () -> Date) { (self.logLength, self.now) = (logLength, now) }

    /// All data of a user; empty for an unknown one.
    subscript(uid: String) -> User {
        get { users[uid] ?? User() }
        set { users[uid] = newValue }
    }

    /// What time it is, in microseconds since 1970.
    var microseconds: Int { Int(now().timeIntervalSince1970 * 1_000_000) }

    /// Fails where an account is to be deleted.
    func refuseWhileLeaving(_ uid: String) throws(TodoError) {
        guard self[uid].account.leaving != nil else { return }
        throw .leaving("this account is to be deleted, and nothing is written any more: keep it first")
    }

    /// Marks a use of an invitation as one that an account came of.
    func settle(_ name: InvitationName, for uid: String) {
        let all = self[name.inviter].account.invitations
        guard let index = all.firstIndex(where: { $0.id == name.id }),
            let place = all[index].came.firstIndex(where: { $0.uid == uid })
        else { return }
        self[name.inviter].account.invitations[index].came[place].joined = true
    }

    /// Forgets somebody who is gone where nothing of theirs leads: in blocks that can be undone, and in invitations on both sides.
    func forget(_ uid: String) {
        for (other, user) in users {
            self[other].cut[uid] = nil
            if user.account.invitation?.inviter == uid {
                (self[other].account.invitation, self[other].account.welcomes) = (nil, false)
            }
            for (index, invitation) in user.account.invitations.enumerated() {
                for (place, arrival) in invitation.came.enumerated() where arrival.uid == uid {
                    self[other].account.invitations[index].came[place] = arrival.forgotten
                }
            }
        }
    }

    /// Notes what happened to an account.
    func note(_ event: AccountEvent, of uid: String) {
        self[uid].account.events = self[uid].account.events.suffix(AccountEvent.most - 1) + [event]
    }

    /// Notes what strangers bring about: the last `most` of its kind stay, so that however long one tries, there is room for what
    /// else happened.
    func noteRefusal(_ event: AccountEvent, of uid: String, most: Int) {
        let old = self[uid].account.events.filter { $0.kind == event.kind }.dropLast(most - 1)
        self[uid].account.events.removeAll { old.contains($0) }
        note(event, of: uid)
    }

    /// The id of a user's next change.
    func nextID(of uid: String) -> ChangeID {
        let (time, latest) = (microseconds, self[uid].latest)
        let isFarAhead = latest.microseconds - time > TodoBounds.mostAhead
        return ChangeID(
            version: latest.version + 1,
            microseconds: isFarAhead ? time : max(time, latest.microseconds + 1)
        )
    }

    /// Logs and publishes a change whose effect is stored already.
    ///
    /// - Parameter device: by which it was written; nil where that is not for the owner to know.
    func commit(_ change: TodoChange, by device: WritingDevice? = .current) {
        var user = self[change.uid]
        user.latest = change.id ?? user.latest
        user.log.append(change)
        if let id = change.id { user.devices[id] = device }
        let dropped = user.log.prefix(max(user.log.count - logLength, 0))
        for id in dropped.compactMap(\.id) { user.devices[id] = nil }
        user.log.removeFirst(dropped.count)
        self[change.uid] = user
        publish(change)
    }

    /// Publishes a change without logging it.
    func publish(_ change: TodoChange) {
        notify(change.uid) { $0.channelPublished(change) }
        guard let published = change.databaseChange else { return }
        for stream in streams.values { stream.yield(published) }
    }

    // MARK: Channels

    func open(_ uid: String, _ listener: any TodoChannelListener, of repository: ObjectIdentifier) {
        close(uid, of: repository)
        listeners[uid, default: []].append((repository, listener))
        // As with a real channel, the confirmation comes later than the request.
        LoopActor.atEndOfTurn { [weak self] in
            guard let self, listeners[uid, default: []].contains(where: { $0.listener === listener }) else { return }
            listener.channelOpened()
        }
    }

    func close(_ uid: String, of repository: ObjectIdentifier) {
        listeners[uid]?.removeAll { $0.repository == repository }
    }

    /// Notifies the listeners of a user's channel.
    func notify(_ uid: String, _ body: (any TodoChannelListener) -> Void) {
        for (_, listener) in listeners[uid, default: []] { body(listener) }
    }

    /// Everything that is published from now on.
    func stream() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DatabaseChange<TodoDTO>.self,
            bufferingPolicy: .bufferingNewest(1024)
        )
        let number = nextStream
        nextStream += 1
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @LoopActor in self?.streams[number] = nil }
        }
        return stream
    }
}
