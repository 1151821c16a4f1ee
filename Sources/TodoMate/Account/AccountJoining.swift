package import EventLoop

/// Makes accounts of people who come by themselves, with an invitation or without.
///
/// With an invitation it is two steps in two places. Whatever ends between them leaves a use that is taken for a name without
/// an account: the same request once more completes it, and when no use is left, those that no account came of are given back.
@LoopActor
package struct AccountJoining {
    private let invitations: any InvitationStoreType

    /// - Parameter invitations: where invitations and accounts are stored.
    package init(_ invitations: any InvitationStoreType) { self.invitations = invitations }

    /// An invitation that can be used.
    ///
    /// - Throws: ``TodoError/notFound(_:)`` for one that is over, taken back, used up or was never made.
    package func open(_ name: InvitationName) async throws(TodoError) -> Invitation {
        var invitation = try await invitations.invitation(name)
        if invitation.left == 0, try await giveBackUnused(of: name, invitation) {
            invitation = try await invitations.invitation(name)
        }
        return invitation
    }

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - uid: the name that was chosen.
    ///   - hash: the hash of the password.
    ///   - name: the invitation; nil for none.
    ///   - welcomes: whether who invites may follow without asking.
    /// - Returns: the account's generation; nil where this invitation has made the account before, by a request whose answer was
    ///   lost, or by somebody else's of the same name.
    /// - Throws: ``TodoError/exists(_:)`` when the name is another one's, ``TodoError/notFound(_:)`` and ``TodoError/full(_:)`` when
    ///   the invitation cannot be used; then nothing was written.
    package func join(
        _ uid: String,
        passwordHash hash: String,
        by name: InvitationName?,
        welcoming welcomes: Bool = false
    ) async throws(TodoError) -> Int? {
        guard let name else { return try await invitations.enroll(uid, passwordHash: hash, by: nil) }
        let taken = try await invitations.take(name, for: uid)
        do throws(TodoError) {
            let use = InvitationUse(name, taken: taken, welcoming: welcomes)
            let generation = try await invitations.enroll(uid, passwordHash: hash, by: use)
            // The account is there, whatever comes of this: what could not be marked is before the account is deleted.
            _ = try? await invitations.settle(name, for: uid)
            return generation
        } catch {
            switch error {
            case .unavailable, .broken: break  // It may have been made all the same.
            case .conflict where taken == 0: throw .full("the account that came of this use is gone: ask for another")
            default:
                // What cannot be given back now is when the next one needs it.
                _ = try? await invitations.giveBack(name, of: uid, taken: taken, ifAbandoned: false)
            }
            throw error
        }
    }

    /// Gives uses back that no account came of.
    ///
    /// - Returns: whether there were any.
    private func giveBackUnused(of name: InvitationName, _ invitation: Invitation) async throws(TodoError) -> Bool {
        var hasFound = false
        for arrival in invitation.came where !arrival.uid.isEmpty {
            guard try await !invitations.came(arrival.uid, by: name) else { continue }
            let (uid, taken) = (arrival.uid, arrival.at)
            hasFound = try await invitations.giveBack(name, of: uid, taken: taken, ifAbandoned: true) || hasFound
        }
        return hasFound
    }
}
