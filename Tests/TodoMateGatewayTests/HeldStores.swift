import EventLoop

@testable import TodoMate

/// Counts what is read of stores, and holds it back when it is told to, as a Redis that pauses does.
@LoopActor
final class StoreGate {
    private let waiters = Waiters()
    private(set) var reads = 0
    /// How many feeds are being read, and how many were at most.
    private(set) var feeds = (now: 0, most: 0)
    /// Whose feed and sides cannot be read.
    var away: Set<String> = []
    var isHeld = false { didSet { if !isHeld { waiters.resumeAll() } } }

    func pass() async {
        reads += 1
        await LoopActor.giveWay()
        while isHeld { await waiters.wait { !isHeld } }
    }

    func readFeed<Value>(
        of owner: String,
        _ read: () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        try check(owner)
        feeds.now += 1
        feeds.most = max(feeds.most, feeds.now)
        defer { feeds.now -= 1 }
        await pass()
        return await deliver(try await read())
    }

    func check(_ owner: String) throws(TodoError) {
        if away.contains(owner) { throw .unavailable("what holds \(owner) is away") }
    }

    /// As over a network: what was read may be from before what is delivered meanwhile.
    func deliver<Value>(_ value: Value) async -> Value {
        await LoopActor.giveWay()
        return value
    }
}

extension Stores {
    /// The same, but what badges and feeds are made of is read through a gate.
    func behind(_ gate: StoreGate) -> Stores {
        Stores(
            todos: todos,
            relations: HeldRelations(relations, gate),
            shared: HeldSharedTodos(shared, gate),
            feeds: HeldFeeds(feeds, gate),
            accounts: accounts,
            sessions: sessions,
            invitations: invitations,
            resets: resets,
            mails: mails,
            identities: identities,
            operators: operators,
            announcements: announcements,
            factors: factors,
            deletions: deletions,
            archives: archives,
            histories: histories,
            goals: goals,
            searches: searches,
            routines: routines,
            notes: notes
        )
    }
}

private final class HeldFeeds: FeedStoreType {
    private let base: any FeedStoreType
    private let gate: StoreGate

    init(_ base: any FeedStoreType, _ gate: StoreGate) { (self.base, self.gate) = (base, gate) }

    func react(_ emoji: String?, to id: String, of owner: String, by person: String) async throws(TodoError)
        -> TodoWrite
    { try await base.react(emoji, to: id, of: owner, by: person) }

    func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction] {
        await gate.pass()
        return try await base.reactions(to: id, of: owner, by: person)
    }

    func feed(
        of owner: String,
        for viewer: String,
        since: Int,
        limit: Int,
        before: Int?
    ) async throws(TodoError) -> [FeedItem] {
        try await gate.readFeed(of: owner) { () throws(TodoError) in
            try await base.feed(of: owner, for: viewer, since: since, limit: limit, before: before)
        }
    }

    func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
        await gate.pass()
        return try await base.feedCount(of: owner, for: viewer, since: since)
    }

    func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
        await gate.pass()
        return try await base.earlier(of: uid, before: day)
    }

    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        await gate.pass()
        return try await base.week(of: uid, until: today)
    }

    func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
        await gate.pass()
        return await gate.deliver(try await base.badges(of: uid, on: day))
    }
}

private final class HeldSharedTodos: SharedTodoStoreType {
    private let base: any SharedTodoStoreType
    private let gate: StoreGate

    init(_ base: any SharedTodoStoreType, _ gate: StoreGate) { (self.base, self.gate) = (base, gate) }

    func sides(of viewer: String, to owner: String) async throws(TodoError) -> (sides: PairAccess, id: ChangeID) {
        await gate.pass()
        try gate.check(owner)
        return await gate.deliver(try await base.sides(of: viewer, to: owner))
    }

    func list(
        of owner: String,
        for viewer: String,
        in days: ClosedRange<CalendarDate>?
    ) async throws(TodoError) -> (sides: PairAccess, read: ReadList?) {
        await gate.pass()
        return try await base.list(of: owner, for: viewer, in: days)
    }

    func todo(_ id: String, of owner: String, for viewer: String) async throws(TodoError) -> TodoRecord {
        await gate.pass()
        return try await base.todo(id, of: owner, for: viewer)
    }
}

private final class HeldRelations: RelationStoreType {
    private let base: any RelationStoreType
    private let gate: StoreGate
    var isForAccountsAlone: Bool {
        get { base.isForAccountsAlone }
        set { base.isForAccountsAlone = newValue }
    }

    init(_ base: any RelationStoreType, _ gate: StoreGate) { (self.base, self.gate) = (base, gate) }

    func follow(_ other: String, by uid: String, at position: Double?) async throws(TodoError) -> Relation {
        try await base.follow(other, by: uid, at: position)
    }

    func unfollow(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await base.unfollow(other, by: uid)
    }

    func arrange(_ other: String, at position: Double, by uid: String) async throws(TodoError) -> Relation {
        try await base.arrange(other, at: position, by: uid)
    }

    func accept(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await base.accept(other, by: uid)
    }

    func dismiss(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await base.dismiss(other, by: uid)
    }

    func block(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await base.block(other, by: uid)
    }

    func unblock(_ other: String, by uid: String, bringingBack: Bool) async throws(TodoError) -> Relation {
        try await base.unblock(other, by: uid, bringingBack: bringingBack)
    }

    func relation(of uid: String, with other: String) async throws(TodoError) -> Relation {
        await gate.pass()
        return try await base.relation(of: uid, with: other)
    }

    func following(of uid: String) async throws(TodoError) -> [Followed] {
        await gate.pass()
        return await gate.deliver(try await base.following(of: uid))
    }

    func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage {
        await gate.pass()
        return try await base.followers(of: uid, in: list, limit: limit, after: next)
    }

    func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings {
        try await base.set(patch, of: uid)
    }

    func profile(of uid: String) async throws(TodoError) -> AccountProfile {
        await gate.pass()
        return try await base.profile(of: uid)
    }

    func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson {
        try await base.person(uid, asKnownTo: viewer)
    }

    func settle(_ uid: String) async throws(TodoError) -> Int { try await base.settle(uid) }
    func settleWishes(for uid: String) async throws(TodoError) { try await base.settleWishes(for: uid) }
}
