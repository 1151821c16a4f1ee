package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Invitations, in `todomate:{uid}:invitations`, and the accounts that come of them.
@LoopActor
package final class RedisInvitationStore: InvitationStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func invite(_ draft: InvitationDraft, by uid: String) async throws(TodoError) -> Invitation {
        let json: String
        do {
            json = String(decoding: try JSONEncoder().encode(draft), as: UTF8.self)
        } catch {
            throw .invalid("the invitation cannot be written as JSON: \(error)")
        }
        let reply = try await functions.call("todomate_invite", uid, [json], isRepeatable: false)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func invitations(of uid: String) async throws(TodoError) -> [Invitation] {
        let reply = try await functions.call("todomate_invitations", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func invitation(_ name: InvitationName) async throws(TodoError) -> Invitation {
        let uid = name.inviter
        let reply = try await functions.call(
            "todomate_invitation",
            uid,
            [name.id],
            readsOnly: true,
            isRepeatable: true
        )
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func endInvitation(_ name: InvitationName) async throws(TodoError) {
        _ = try await functions.call("todomate_end_invitation", name.inviter, [name.id], isRepeatable: false)
    }

    package func take(_ name: InvitationName, for uid: String) async throws(TodoError) -> Int {
        let words = [name.id, uid]
        let reply = try await functions.call("todomate_take_invitation", name.inviter, words, isRepeatable: true)
        guard let taken = reply.integer else { throw Self.broken(name.inviter) }
        return taken
    }

    package func settle(_ name: InvitationName, for uid: String) async throws(TodoError) {
        let words = [name.id, uid]
        _ = try await functions.call("todomate_settle_invitation", name.inviter, words, isRepeatable: true)
    }

    @discardableResult
    package func giveBack(
        _ name: InvitationName,
        of uid: String,
        taken: Int,
        ifAbandoned mustBeOld: Bool
    ) async throws(TodoError) -> Bool {
        let words = [name.id, uid, String(taken)] + (mustBeOld ? ["abandoned"] : [])
        let reply = try await functions.call("todomate_return_invitation", name.inviter, words, isRepeatable: true)
        return reply.integer == 1
    }

    package func enroll(
        _ uid: String,
        passwordHash hash: String,
        by use: InvitationUse?
    ) async throws(TodoError) -> Int? {
        try await RedisNameLooks(functions).claim(uid)
        let words = use.map { [$0.name.description, String($0.taken)] + ($0.welcomes ? ["welcomes"] : []) } ?? []
        let reply = try await functions.call("todomate_enroll", uid, [hash, "new"] + words, isRepeatable: use != nil)
        guard let generation = reply.string.flatMap({ Int($0) }) else { throw Self.broken(uid) }
        return generation == 0 ? nil : generation
    }

    package func came(_ uid: String, by name: InvitationName) async throws(TodoError) -> Bool {
        try TodoBounds.uid(uid)
        let field = RedisCommand("HGET", TodoKeys.key(.profile, of: uid), "invitation")
        return try await functions.plain(field, isRepeatable: true).string == name.description
    }

    private static func broken(_ uid: String) -> TodoError {
        .broken(
            "a function answered something else about \(uid) than it should: 'todomate doctor' checks the functions"
        )
    }
}
