/// Answers that were given before somebody asked to follow: by an invitation that welcomes, and by whoever came by one. Each answers
/// the first wish, as long as the invitation lasts; a block takes it back.
extension InMemoryDatabase {
    /// Whether a user has said that another one may follow.
    func isGranted(_ other: String, by uid: String) -> Bool {
        guard let name = invitation(between: uid, other) else { return false }
        let account = self[uid].account
        guard name.inviter == uid else { return account.welcomes && account.suspension == nil }
        guard let index = account.invitationInForce(name.id, at: microseconds / 1_000_000),
            account.invitations[index].welcome == true,
            let arrival = account.invitations[index].came.first(where: { $0.uid == other })
        else { return false }
        return arrival.answered != true
    }

    /// It was said once, and is no answer to the next wish.
    func answered(_ other: String, by uid: String) {
        guard let name = invitation(between: uid, other) else { return }
        guard name.inviter == uid else {
            self[uid].account.welcomes = false
            return
        }
        guard let index = self[uid].account.invitations.firstIndex(where: { $0.id == name.id }),
            let place = self[uid].account.invitations[index].came.firstIndex(where: { $0.uid == other })
        else { return }
        self[uid].account.invitations[index].came[place].answered = true
    }

    /// The invitation by which one of two came that the other one made, while it lasts.
    private func invitation(between uid: String, _ other: String) -> InvitationName? {
        for (guest, inviter) in [(uid, other), (other, uid)] {
            guard let name = self[guest].account.invitation, name.inviter == inviter,
                self[inviter].account.invitations.contains(where: { one in
                    one.id == name.id && one.expires > microseconds / 1_000_000
                        && one.came.contains { $0.uid == guest }
                })
            else { continue }
            return name
        }
        return nil
    }
}

extension InMemoryDatabase.Account {
    /// Where an invitation stands that can be made use of; nil for none.
    func invitationInForce(_ id: String, at now: Int) -> Int? {
        // Whoever is suspended must not come back by another name, and whoever leaves is gone to others.
        guard suspension == nil, leaving == nil else { return nil }
        return invitations.firstIndex { $0.id == id && $0.expires > now }
    }
}
