package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Identities at OpenID providers: whose each one is in `todomate:{digest}:identity`, and each user's in
/// `todomate:{uid}:identities`, which decides.
@LoopActor
package final class RedisIdentityStore: IdentityStoreType {
    /// Somebody else's claim comes between as often as the same person opens another window.
    private static let mostAttempts = 4

    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func owner(of id: String) async throws(TodoError) -> String? {
        guard let uid = try await claimant(of: id), try await has(id, uid) else { return nil }
        return uid
    }

    package func link(_ identity: IdentityDraft, to uid: String) async throws(TodoError) {
        try await claim(identity, for: uid)
        let words = [identity.id, Self.json(identity)]
        _ = try await functions.call("todomate_link_identity", uid, words, isRepeatable: true)
    }

    package func unlink(_ id: String, of uid: String) async throws(TodoError) {
        _ = try await functions.call("todomate_unlink_identity", uid, [id], isRepeatable: false)
        await release(id, of: uid)
    }

    package func identities(of uid: String) async throws(TodoError) -> [LinkedIdentity] {
        let reply = try await functions.call("todomate_identities", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func enroll(
        _ uid: String,
        passwordHash hash: String,
        by identity: IdentityDraft
    ) async throws(TodoError) -> Int {
        try await RedisNameLooks(functions).claim(uid)
        try await claim(identity, for: uid)
        let words = [hash, identity.id, Self.json(identity)]
        let reply = try await functions.call("todomate_enroll_by_identity", uid, words, isRepeatable: true)
        guard let generation = reply.string.flatMap({ Int($0) }) else {
            throw .broken("todomate_enroll_by_identity answered no generation: 'todomate doctor' checks the functions")
        }
        // Another window may have claimed it for another name in between, and made an account of that: one is enough.
        guard try await claimant(of: identity.id) == uid else {
            _ = try await functions.call("todomate_remove_account", uid, [], isRepeatable: false)
            throw .identityIsTaken
        }
        return generation
    }

    /// Runs what takes all of a user's identities away, and then forgets whom they belonged to: before, one that is refused would
    /// leave somebody unable to sign in.
    func releaseAll<Answer: Sendable>(
        of uid: String,
        after removal: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        // Those that cannot be read or released count for nothing without the user's side, and hold up no removal.
        let released = (try? await identities(of: uid)) ?? []
        let answer = try await removal()
        for identity in released { await release(identity.id, of: uid) }
        return answer
    }

    private func release(_ id: String, of uid: String) async {
        // Should this not arrive, it counts for nothing: the user's side is gone.
        _ = try? await functions.call("todomate_release_identity", id, [uid], isRepeatable: true)
    }

    private func claimant(of id: String) async throws(TodoError) -> String? {
        let reply = try await functions.call("todomate_identity", id, [], readsOnly: true, isRepeatable: true)
        return reply.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func has(_ id: String, _ uid: String) async throws(TodoError) -> Bool {
        try await identities(of: uid).contains { $0.id == id }
    }

    /// Says that an identity is the user's, unless it is somebody else's. A claim that led to nothing is no obstacle.
    private func claim(_ identity: IdentityDraft, for uid: String) async throws(TodoError) {
        try identity.check()
        try TodoBounds.uid(uid)
        for _ in 0..<Self.mostAttempts {
            let before = try await claimant(of: identity.id)
            if let before, before != uid, try await has(identity.id, before) { throw .identityIsTaken }
            let words = [uid, before ?? ""]
            // Claimed twice where the first answer was lost: the second one then finds the user's own claim.
            let reply = try await functions.call("todomate_claim_identity", identity.id, words, isRepeatable: true)
            if reply.integer == 1 { return }
        }
        throw .conflict("this identity is being linked elsewhere: try again", current: nil)
    }

    private static func json(_ identity: IdentityDraft) -> String {
        JSONObject(["provider": identity.provider, "label": identity.label]).text
    }
}
