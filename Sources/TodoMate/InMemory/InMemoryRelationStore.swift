import EventLoop
import Foundation

/// Relations and settings in this process only: both sides of a pair change in one step.
@LoopActor
final class InMemoryRelationStore: RelationStoreType {
    private static let mostBlocked = 10_000
    private static let undoSeconds = 600

    let database: InMemoryDatabase
    var isForAccountsAlone = false

    init(_ database: InMemoryDatabase) { self.database = database }

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
        for (one, them) in [(uid, other), (other, uid)] { database[one].cut[them] = nil }
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
        // Whoever refuses is not to be had back by an undo of an earlier block.
        database[uid].cut[other] = nil
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
        guard bringingBack, let mine = cut(uid, other) else {
            database[uid].cut[other] = nil
            return relation(uid, other)
        }
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

    /// The state in which a user lets another one follow; nil for not at all.
    func answer(of other: String, to uid: String) -> FollowState? {
        let user = database[other]
        if user.has(uid, in: .blocked) { return nil }
        if user.account.leaving != nil { return .requested }
        if user.account.audience == .private { return nil }
        let isGranted = user.account.audience == .public && !isNobody(other) || database.isGranted(uid, by: other)
        return isGranted ? .following : .requested
    }

    func isNobody(_ uid: String) -> Bool {
        isForAccountsAlone && database[uid].account.passwordHash == nil && database[uid].latest == .zero
    }

    func grant(_ state: FollowState, to follower: String, by uid: String) {
        let time = database.microseconds
        change(uid, follower) { user in
            let requested = user.others[.requested]?.removeValue(forKey: follower)
            user.others[state == .following ? .following : .requested, default: [:]][follower] = requested ?? time
        }
    }

    /// Ends a following or request on both sides.
    func part(_ follower: String, from uid: String) {
        change(follower, uid) { $0.following[uid] = nil }
        change(uid, follower) { user in
            for list in [FollowerList.following, .requested] { user.others[list]?[follower] = nil }
        }
    }

    /// Changes one side, and announces that where it has become another one.
    func change(
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
        // It is the other one's device as well.
        database.commit(TodoChange(id: id, .relation(relation(uid, other))), by: nil)
    }

    func relation(_ uid: String, _ other: String) -> Relation { relation(uid, other, database[uid]) }

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
