import EventLoop

// What becomes of all pairs of a user whose account comes or goes.
extension InMemoryRelationStore {
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
}
