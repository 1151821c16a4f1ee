package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Accounts and their sessions, in `todomate:{uid}:profile` and `todomate:{uid}:sessions`.
///
/// Each end of sessions is one call of a function, which also publishes it to the workers.
@LoopActor
package final class RedisSessionStore: SessionStoreType {
    private let functions: TodoFunctions
    private let identities: RedisIdentityStore

    init(_ functions: TodoFunctions) {
        self.functions = functions
        identities = RedisIdentityStore(functions)
    }

    // MARK: Accounts

    package func enroll(_ uid: String, passwordHash hash: String, keepingData keepsData: Bool)
        async throws(TodoError)
    {
        let words = [hash] + (keepsData ? ["keep"] : [])
        _ = try await functions.call("todomate_enroll", uid, words, isRepeatable: false)
        // Whose it is may look like whose it likes; those who come by themselves must not look like this one.
        try await RedisNameLooks(functions).note(uid)
    }

    @discardableResult
    package func setPasswordHash(_ hash: String, of uid: String) async throws(TodoError) -> Int {
        try await count("todomate_set_password", uid, [hash], isRepeatable: false)
    }

    package func changePassword(
        to hash: String,
        of uid: String,
        since generation: Int,
        beginning draft: SessionDraft,
        by session: String?
    ) async throws(TodoError) -> Int {
        let words = [hash, String(generation), try Self.json(draft)] + (session.map { [$0] } ?? [])
        let reply = try await functions.call("todomate_change_password", uid, words, isRepeatable: false)
        return try Self.generation(reply, of: uid)
    }

    package func removeAccount(_ uid: String) async throws(TodoError) {
        _ = try await identities.releaseAll(of: uid) { () async throws(TodoError) in
            try await functions.call("todomate_remove_account", uid, [], isRepeatable: false)
        }
    }

    /// Takes an account away, if there is one, ends all its sessions, and marks all that the user has for deletion.
    ///
    /// - Returns: whether there was an account.
    package func beginPurge(of uid: String) async throws(TodoError) -> Bool {
        try await identities.releaseAll(of: uid) { () async throws(TodoError) in
            try await count("todomate_remove_account", uid, ["purge"], isRepeatable: true) == 1
        }
    }

    /// Deletes a part of what is marked for deletion.
    ///
    /// - Returns: how many todos are left; with the last of them all else is gone, and the mark.
    package func purgeSome(of uid: String) async throws(TodoError) -> Int {
        try await count("todomate_purge", uid, [], isRepeatable: false)
    }

    // MARK: Sessions

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - draft: what is known of it.
    ///   - uid: whose it is.
    ///   - generation: the generation that the account had when the password was checked, zero for none; nil where none was
    ///     checked.
    /// - Returns: the generation that its token has to carry.
    /// - Throws: ``/TodoMate/TodoError/notFound(_:)`` for no account, ``/TodoMate/TodoError/conflict(_:current:)`` when it has
    ///   changed since, ``/TodoMate/TodoError/full(_:)`` when it has as many tokens as it may.
    package func begin(_ draft: SessionDraft, of uid: String, since generation: Int?) async throws(TodoError)
        -> Int
    {
        let words = [try Self.json(draft)] + (generation.map { [String($0)] } ?? [])
        let reply = try await functions.call("todomate_begin_session", uid, words, isRepeatable: false)
        return try Self.generation(reply, of: uid)
    }

    private static func json(_ draft: SessionDraft) throws(TodoError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(draft), as: UTF8.self)
        } catch {
            throw .invalid("the session cannot be written as JSON: \(error)")
        }
    }

    private static func generation(_ reply: RedisValue, of uid: String) throws(TodoError) -> Int {
        guard let generation = reply.string.flatMap({ Int($0) }) else { throw broken(uid) }
        return generation
    }

    package func end(_ id: String, of uid: String) async throws(TodoError) {
        _ = try await functions.call("todomate_end_session", uid, [id], isRepeatable: false)
    }

    @discardableResult
    package func endAll(of uid: String) async throws(TodoError) -> Int {
        try await count("todomate_end_sessions", uid, [], isRepeatable: false)
    }

    @discardableResult
    package func endOthers(than id: String, of uid: String) async throws(TodoError) -> Int {
        try await count("todomate_end_sessions", uid, [id], isRepeatable: false)
    }

    package func noteUses(of ids: Set<String>, by uid: String) async throws(TodoError) {
        _ = try await count("todomate_note_uses", uid, [ids.joined(separator: " ")], isRepeatable: true)
    }

    package func noteRefusal(from network: String, of uid: String) async throws(TodoError) {
        _ = try await count("todomate_refused", uid, [network], isRepeatable: true)
    }

    package func events(of uid: String) async throws(TodoError) -> [AccountEvent] {
        let reply = try await functions.call("todomate_account_events", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func sessions(of uid: String) async throws(TodoError) -> [Session] {
        let reply = try await functions.call("todomate_sessions", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func readLive(
        of uids: [String],
        _ each: @escaping @LoopActor (Int, Result<LiveSessions, TodoError>) -> Void
    ) async {
        await functions.read("todomate_live", of: uids) { index, reply in
            each(
                index,
                reply.flatMap { value in
                    value.bytes.map { .success(Self.live($0)) } ?? .failure(Self.broken(uids[index]))
                }
            )
        }
    }

    /// A generation and ids, with spaces between; a dash stands for no account, and a mark behind the generation for one that is to be
    /// deleted. A word with a colon is no id.
    private static func live(_ text: [UInt8]) -> LiveSessions {
        text.withUnsafeBufferPointer { text in
            var (start, generation, ids): (Int, Int?, Set<String>) = (0, nil, [])
            var (writesMost, isLeaving): (Int?, Bool) = (nil, false)
            for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: " ") {
                // Bytes, not characters, which are slow to compare: there may be hundreds of sessions.
                if start == 0 {
                    isLeaving = end > 0 && text[end - 1] == UInt8(ascii: "!")
                    generation = Int(String(decoding: text[..<(isLeaving ? end - 1 : end)], as: UTF8.self))
                } else if text[start..<end].starts(with: Self.writes) {
                    writesMost = Int(String(decoding: text[(start + Self.writes.count)..<end], as: UTF8.self))
                } else if start < end {
                    ids.insert(String(decoding: text[start..<end], as: UTF8.self))
                }
                start = end + 1
            }
            return LiveSessions(generation: generation, ids: ids, writesMost: writesMost, isLeaving: isLeaving)
        }
    }

    private static let writes = Array("writes:".utf8)

    private func count(
        _ name: String,
        _ uid: String,
        _ words: [String],
        isRepeatable: Bool
    ) async throws(TodoError) -> Int {
        guard let count = try await functions.call(name, uid, words, isRepeatable: isRepeatable).integer else {
            throw Self.broken(uid)
        }
        return count
    }

    private static func broken(_ uid: String) -> TodoError {
        .broken(
            "a function answered something else about \(uid) than it should: 'todomate doctor' checks the functions"
        )
    }
}
