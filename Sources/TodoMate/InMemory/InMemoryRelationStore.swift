import EventLoop
import Foundation

/// Relations and settings in this process only: both sides of a pair change in one step.
@LoopActor
final class InMemoryRelationStore: RelationStoreType {
    private static let mostBlocked = 10_000
    private static let mostOfPage = 1000
    private static let undoSeconds = 600

    private let database: InMemoryDatabase
    var isForAccountsAlone = false

    init(_ database: InMemoryDatabase) { self.database = database }

    // MARK: Pairs

    func follow(_ other: String, by uid: String, at position: Double?) async throws(TodoError) -> Relation {
        let place = position.map { "\($0)" } ?? ""
        return try await database.once("follow \(other) \(place)", of: uid) { () throws(TodoError) in
            try wish(other, by: uid, at: position)
        }
    }

    private func wish(_ other: String, by uid: String, at position: Double?) throws(TodoError) -> Relation {
        try check(uid, other)
        if let position { try TodoBounds.position(position) }
        let user = database[uid]
        guard !user.has(other, in: .blocked) else { throw .invalid("\(uid) has blocked \(other): unblock first") }
        if user.following[other] != nil {
            guard let position else { return relation(uid, other) }
            return try place(other, at: position, by: uid)
        }
        guard user.following.count < Relation.mostFollowed else {
            throw .full("\(uid) follows \(Relation.mostFollowed) users already: unfollow somebody first")
        }
        try database.refuseWhileLeaving(uid)
        // The first wish is the one that was answered; those after it ask.
        defer { if database[other].account.leaving == nil { database.answered(uid, by: other) } }
        guard let state = answer(of: other, to: uid) else { return relation(uid, other) }
        let version = database.nextID(of: uid).version
        let followed = Followed(uid: other, state: state, position: position ?? Double(version))
        // What there was before the block is over.
        database[uid].cut[other] = nil
        change(uid, other) { $0.following[other] = followed }
        if !isNobody(other), database[other].account.leaving == nil { grant(state, to: uid, by: other) }
        return relation(uid, other)
    }

    func unfollow(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await database.once("unfollow \(other)", of: uid) { () throws(TodoError) in
            try leave(other, by: uid)
        }
    }

    private func leave(_ other: String, by uid: String) throws(TodoError) -> Relation {
        try check(uid, other)
        if database[uid].following[other] != nil { try database.refuseWhileLeaving(uid) }
        part(uid, from: other)
        return relation(uid, other)
    }

    func arrange(_ other: String, at position: Double, by uid: String) async throws(TodoError) -> Relation {
        try await database.once("arrange \(other) \(position)", of: uid) { () throws(TodoError) in
            try place(other, at: position, by: uid)
        }
    }

    private func place(_ other: String, at position: Double, by uid: String) throws(TodoError) -> Relation {
        try check(uid, other)
        try TodoBounds.position(position)
        guard let followed = database[uid].following[other] else { throw .notFound("\(uid) does not follow \(other)") }
        if followed.position != position {
            try database.refuseWhileLeaving(uid)
            // Nothing in the message is new, but other views of the order have to read it again.
            change(uid, other, isAlwaysNews: true) { $0.following[other]?.position = position }
        }
        return relation(uid, other)
    }

    func accept(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await database.once("accept \(other)", of: uid) { () throws(TodoError) in
            try allow(other, by: uid)
        }
    }

    private func allow(_ other: String, by uid: String) throws(TodoError) -> Relation {
        try check(uid, other)
        let user = database[uid]
        guard !user.has(other, in: .following) else { return relation(uid, other) }
        guard user.has(other, in: .requested) else { throw .notFound("\(other) does not ask to follow \(uid)") }
        try database.refuseWhileLeaving(uid)
        grant(.following, to: other, by: uid)
        change(other, uid) { $0.following[uid]?.state = .following }
        return relation(uid, other)
    }

    func dismiss(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await database.once("dismiss \(other)", of: uid) { () throws(TodoError) in
            try refuse(other, by: uid)
        }
    }

    private func refuse(_ other: String, by uid: String) throws(TodoError) -> Relation {
        try check(uid, other)
        let user = database[uid]
        if user.has(other, in: .following) || user.has(other, in: .requested) { try database.refuseWhileLeaving(uid) }
        part(other, from: uid)
        return relation(uid, other)
    }

    func block(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await database.once("block \(other)", of: uid) { () throws(TodoError) in
            try shutOut(other, by: uid)
        }
    }

    private func shutOut(_ other: String, by uid: String) throws(TodoError) -> Relation {
        try check(uid, other)
        guard !database[uid].has(other, in: .blocked) else { return relation(uid, other) }
        guard database[uid].others[.blocked, default: [:]].count < Self.mostBlocked else {
            throw .full("\(uid) has blocked \(Self.mostBlocked) users already: unblock some first")
        }
        try database.refuseWhileLeaving(uid)
        let time = database.microseconds
        database[uid].cut[other] = nil
        keepCut(uid, other)
        keepCut(other, uid)
        change(uid, other) { user in
            user.following[other] = nil
            for list in [FollowerList.following, .requested] { user.others[list]?[other] = nil }
            user.others[.blocked, default: [:]][other] = time
            user.away[other] = nil
        }
        database.answered(other, by: uid)
        part(uid, from: other)
        part(other, from: uid)
        return relation(uid, other)
    }

    func unblock(_ other: String, by uid: String, bringingBack: Bool) async throws(TodoError) -> Relation {
        try await database.once("unblock \(other) \(bringingBack)", of: uid) { () throws(TodoError) in
            try letIn(other, by: uid, bringingBack)
        }
    }

    private func letIn(_ other: String, by uid: String, _ bringingBack: Bool) throws(TodoError) -> Relation {
        try check(uid, other)
        guard database[uid].has(other, in: .blocked) else { return relation(uid, other) }
        try database.refuseWhileLeaving(uid)
        change(uid, other) { $0.others[.blocked]?[other] = nil }
        guard bringingBack, let mine = cut(uid, other) else { return relation(uid, other) }
        let theirs = cut(other, uid)
        for (one, them) in [(uid, other), (other, uid)] { database[one].cut[them] = nil }
        bringBack(uid, other, mine.following, isGranted: theirs?.isFollower == true)
        bringBack(other, uid, theirs?.following, isGranted: mine.isFollower)
        return relation(uid, other)
    }

    /// Keeps what a block takes from one side.
    private func keepCut(_ uid: String, _ other: String) {
        let user = database[uid]
        let (following, isFollower) = (user.following[other], user.has(other, in: .following))
        guard following != nil || isFollower else { return }
        let over = database.microseconds / 1_000_000 + Self.undoSeconds
        database[uid].cut[other] = (following, isFollower, over)
    }

    private func cut(_ uid: String, _ other: String) -> (following: Followed?, isFollower: Bool, until: Int)? {
        guard let cut = database[uid].cut[other], cut.until > database.microseconds / 1_000_000 else { return nil }
        return cut
    }

    /// Wishes once more what a block took away, which whoever granted it grants again.
    private func bringBack(_ uid: String, _ other: String, _ was: Followed?, isGranted: Bool) {
        guard let was, database[uid].following[other] == nil, !database[uid].has(other, in: .blocked),
            database[uid].account.leaving == nil, database[uid].following.count < Relation.mostFollowed,
            let answer = answer(of: other, to: uid)
        else { return }
        let state: FollowState = isGranted && database[other].account.leaving == nil ? .following : answer
        change(uid, other) { $0.following[other] = Followed(uid: other, state: state, position: was.position) }
        if !isNobody(other), database[other].account.leaving == nil { grant(state, to: uid, by: other) }
    }

    func relation(of uid: String, with other: String) async throws(TodoError) -> Relation {
        try check(uid, other)
        return relation(uid, other)
    }

    func settle(_ uid: String) async throws(TodoError) -> Int { 0 }

    // MARK: Lists

    func following(of uid: String) async throws(TodoError) -> [Followed] {
        try TodoBounds.uid(uid)
        return database[uid].following.values.sorted { ($0.position, $0.uid) < ($1.position, $1.uid) }
    }

    func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage {
        try TodoBounds.uid(uid)
        guard (1...Self.mostOfPage).contains(limit) else { throw .invalid("limit must be 1 to \(Self.mostOfPage)") }
        let all = database[uid].others[list, default: [:]].sorted { ($1.value, $1.key) < ($0.value, $0.key) }
        var rest = all[...]
        if let next {
            guard let dot = next.firstIndex(of: "."), let time = Int(next[..<dot]) else {
                throw .invalid("give what the page before calls next")
            }
            let name = String(next[next.index(after: dot)...])
            rest = rest.drop { ($0.value, $0.key) >= (time, name) }
        }
        let page = rest.prefix(limit)
        return FollowerPage(
            followers: page.map {
                .init(
                    uid: $0.key,
                    state: list,
                    since: Timestamp.text(Date(timeIntervalSince1970: Double($0.value / 1_000_000)))
                )
            },
            count: all.count,
            next: rest.count > limit ? page.last.map { "\($0.value).\($0.key)" } : nil
        )
    }

    // MARK: Settings

    func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings {
        try await database.once("settings \(patch.json)", of: uid) { () throws(TodoError) in
            try put(patch, of: uid)
        }
    }

    private func put(_ patch: AccountPatch, of uid: String) throws(TodoError) -> AccountSettings {
        try TodoBounds.uid(uid)
        if let seen = patch.feedSeen {
            guard seen >= 0, Double(seen) < TodoBounds.largestPosition else {
                throw .invalid("feedSeen must be a time in whole microseconds since 1970")
            }
        }
        try database.refuseWhileLeaving(uid)
        let before = settings(of: uid)
        var after = before
        if let audience = patch.audience { after.audience = audience }
        if let visibility = patch.visibility { after.visibility = visibility }
        for (field, value) in patch.preferences { try after.preferences.set(field, to: value) }
        let id = database.nextID(of: uid)
        if let seen = patch.feedSeen { after.feedSeen = max(after.feedSeen, min(seen, id.microseconds)) }
        guard after != before else { return before }
        database[uid].account.audience = after.audience
        database[uid].account.visibility = after.visibility
        database[uid].account.feedSeen = after.feedSeen
        database[uid].account.preferences = after.preferences
        let audienceBefore = before.audience == after.audience ? nil : before.audience
        database.commit(TodoChange(id: id, .settings(after, audienceBefore: audienceBefore)))
        if audienceBefore != nil, database[uid].account.passwordHash != nil {
            let at = database.microseconds / 1000
            database.note(AccountEvent(at: at, .audienceChanged, audience: after.audience), of: uid)
        }
        return after
    }

    func profile(of uid: String) async throws(TodoError) -> AccountProfile {
        try TodoBounds.uid(uid)
        let (user, settings) = (database[uid], settings(of: uid))
        let counts = AccountProfile.Counts(
            following: user.following.count,
            followers: user.others[.following, default: [:]].count,
            requests: user.others[.requested, default: [:]].count,
            todos: user.todos.count,
            bytes: user.todos.values.reduce(0) { $0 + TodoDTO($1).json.utf8.count },
            bytesMost: user.account.limits[.bytes] ?? .max
        )
        return AccountProfile(settings: settings, counts: counts, role: user.account.role)
    }

    func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson {
        try TodoBounds.uid(uid)
        try TodoBounds.uid(viewer)
        let user = database[uid]
        let isOpen =
            user.account.audience == .public || user.has(viewer, in: .following) || user.following[viewer] != nil
        let isThere = user.account.leaving == nil
        guard viewer == uid || isThere && isOpen && !user.has(viewer, in: .blocked) else {
            return PublicPerson(uid: uid)
        }
        let preferences = user.account.preferences
        return PublicPerson(uid: uid, name: preferences.name, face: preferences.face)
    }

    /// Changes a user's audience alone, whether or not anything may be written.
    func set(audience: Visibility, of uid: String) {
        let before = database[uid].account.audience
        let id = database.nextID(of: uid)
        database[uid].account.audience = audience
        let audienceBefore = before == audience ? nil : before
        database.commit(TodoChange(id: id, .settings(settings(of: uid), audienceBefore: audienceBefore)))
    }

    private func settings(of uid: String) -> AccountSettings {
        let account = database[uid].account
        return AccountSettings(
            uid: uid,
            audience: account.audience,
            visibility: account.visibility,
            feedSeen: account.feedSeen,
            preferences: account.preferences,
            goals: account.goals.values.sorted { $0.id < $1.id },
            routines: account.routines.values.sorted { $0.id < $1.id }
        )
    }

    /// Logs and publishes the settings as they are stored.
    func commitSettings(of uid: String, _ id: ChangeID) {
        database.commit(TodoChange(id: id, .settings(settings(of: uid), audienceBefore: nil)))
    }

    // MARK: Both sides

    func settleWishes(for uid: String) async throws(TodoError) { answerWishes(for: uid) }

    /// Settles requests to a name that were made before it had an account.
    func answerWishes(for uid: String) {
        for (follower, user) in database.users where user.account.leaving == nil { answerWish(of: follower, to: uid) }
    }

    private func answerWish(of follower: String, to uid: String) {
        let user = database[uid]
        guard database[follower].following[uid]?.state == .requested, user.account.leaving == nil, !isNobody(uid),
            !user.has(follower, in: .requested)
        else { return }
        let isGranted = user.has(follower, in: .following)
        let state = isGranted ? .following : answer(of: uid, to: follower)
        database.answered(follower, by: uid)
        change(follower, uid) { user in
            if let state { user.following[uid]?.state = state } else { user.following[uid] = nil }
        }
        if let state, !isGranted { grant(state, to: follower, by: uid) }
    }

    /// Has all others let go of a user who is about to delete the account, as of a name that nobody has.
    func letGo(of uid: String) {
        for other in database.users.keys where other != uid {
            change(other, uid) { user in
                if user.following[uid] != nil { user.following[uid]?.state = .requested }
                for list in [FollowerList.following, .requested] {
                    if let time = user.others[list]?.removeValue(forKey: uid) { user.away[uid] = (list, time) }
                }
            }
        }
    }

    /// Gives others back what they have let go of, and answers who asked meanwhile.
    func takeBack(_ uid: String) {
        for other in database.users.keys where other != uid {
            let grants = database[uid].has(other, in: .following)
            change(other, uid) { user in
                if grants, user.following[uid] != nil { user.following[uid]?.state = .following }
                if let (list, time) = user.away.removeValue(forKey: uid) { user.others[list, default: [:]][uid] = time }
            }
        }
        answerWishes(for: uid)
        for other in database[uid].following.keys { answerWish(of: uid, to: other) }
    }

    /// Ends all that is between a user and others, on both sides.
    func partFromAll(_ uid: String) {
        for other in database.users.keys where other != uid {
            part(uid, from: other)
            part(other, from: uid)
            database[other].away[uid] = nil
        }
    }

    /// The state in which a user lets another one follow; nil for not at all.
    private func answer(of other: String, to uid: String) -> FollowState? {
        let user = database[other]
        if user.has(uid, in: .blocked) { return nil }
        if user.account.leaving != nil { return .requested }
        if user.account.audience == .private { return nil }
        let isGranted = user.account.audience == .public && !isNobody(other) || database.isGranted(uid, by: other)
        return isGranted ? .following : .requested
    }

    private func isNobody(_ uid: String) -> Bool {
        isForAccountsAlone && database[uid].account.passwordHash == nil && database[uid].latest == .zero
    }

    private func grant(_ state: FollowState, to follower: String, by uid: String) {
        let time = database.microseconds
        change(uid, follower) { user in
            let requested = user.others[.requested]?.removeValue(forKey: follower)
            user.others[state == .following ? .following : .requested, default: [:]][follower] = requested ?? time
        }
    }

    /// Ends a following or request on both sides.
    private func part(_ follower: String, from uid: String) {
        change(follower, uid) { $0.following[uid] = nil }
        change(uid, follower) { user in
            for list in [FollowerList.following, .requested] { user.others[list]?[follower] = nil }
        }
    }

    /// Changes one side, and announces that where it has become another one.
    private func change(
        _ uid: String,
        _ other: String,
        isAlwaysNews: Bool = false,
        _ body: (inout InMemoryDatabase.User) -> Void
    ) {
        let before = relation(uid, other)
        var user = database[uid]
        body(&user)
        let id = database.nextID(of: uid)
        guard isAlwaysNews || relation(uid, other, user) != before else { return }
        database[uid] = user
        database.commit(TodoChange(id: id, .relation(relation(uid, other))))
    }

    private func relation(_ uid: String, _ other: String) -> Relation { relation(uid, other, database[uid]) }

    private func relation(_ uid: String, _ other: String, _ user: InMemoryDatabase.User) -> Relation {
        let follower: FollowState =
            user.has(other, in: .following) ? .following : user.has(other, in: .requested) ? .requested : .none
        return Relation(
            uid: uid,
            with: other,
            following: user.following[other]?.state ?? .none,
            follower: follower,
            blocked: user.has(other, in: .blocked)
        )
    }

    private func check(_ uid: String, _ other: String) throws(TodoError) {
        for name in [uid, other] where !TodoBounds.isUID(name.utf8) {
            throw .invalid("a user must be 1 to 64 of A-Z a-z 0-9 . _ @ -")
        }
        guard uid != other else { throw .invalid("this needs two users: \(uid) is both") }
    }
}
