package import EventLoop
import RedisClient
package import TodoMate

/// What operators decide about accounts, in `todomate:{uid}:profile`.
@LoopActor
package final class RedisOperatorStore: OperatorStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func eachAccount(
        missing: MissingNodes?,
        _ body: @LoopActor ([AccountMark]) async throws(TodoError) -> Void
    ) async throws(TodoError) {
        try await functions.eachPage(ofKeys: TodoKeys.every(.profile), missing: missing) { keys throws(TodoError) in
            let uids = keys.compactMap { TodoKeys.uid(of: $0, .profile) }
            let fields: [RedisValue]
            do throws(TodoError) {
                fields = try await functions.plain(
                    uids.map { RedisCommand("HMGET", TodoKeys.key(.profile, of: $0), "password", "suspended", "role") }
                )
            } catch .unavailable(let text) {
                // All keys of a page are of one node.
                return try note(missing, uids.first ?? "", text)
            }
            let marks = zip(uids, fields).compactMap { uid, fields -> AccountMark? in
                let values = fields.array?.map(\.string) ?? []
                // Settings make a profile as well.
                guard values.count == 3, values[0] != nil else { return nil }
                let role = values[2].flatMap(AccountRole.init)
                return AccountMark(uid: uid, isSuspended: values[1] != nil, role: role)
            }
            if !marks.isEmpty { try await body(marks) }
        }
    }

    package func summaries(of uids: [String], missing: MissingNodes?) async throws(TodoError) -> [AccountSummary] {
        let questions = uids.map { uid in
            Task { () async -> Result<AccountSummary?, TodoError> in
                do throws(TodoError) {
                    let reply = try await read("todomate_account_summary", uid)
                    guard let json = reply.bytes, !json.isEmpty else { return .success(nil) }
                    return .success(try StoredJSON.read(json, of: uid))
                } catch {
                    return .failure(error)
                }
            }
        }
        var summaries: [AccountSummary] = []
        for (uid, question) in zip(uids, questions) {
            do throws(TodoError) {
                if let summary = try await question.value.get() { summaries.append(summary) }
            } catch .unavailable(let text) {
                try note(missing, uid, text)
            }
        }
        return summaries
    }

    /// Notes that who has a user does not answer, where something may be missing.
    private func note(_ missing: MissingNodes?, _ uid: String, _ text: String) throws(TodoError) {
        guard let missing else { throw .unavailable(text) }
        missing.add(functions.client.knownNode(of: TodoKeys.key(.profile, of: uid)).map { "\($0.url)" } ?? text)
    }

    @discardableResult
    package func suspend(_ uid: String, for reason: String, by: String?) async throws(TodoError) -> Bool {
        try await write("todomate_suspend", uid, [reason], by)
    }

    @discardableResult
    package func resume(_ uid: String, by: String?) async throws(TodoError) -> Bool {
        try await write("todomate_resume", uid, [], by)
    }

    package func suspension(
        of uid: String,
        knowing session: (id: String, generation: Int)?
    ) async throws(TodoError) -> Suspension? {
        let words = session.map { [$0.id, String($0.generation)] } ?? []
        guard let json = try await read("todomate_suspension", uid, words).bytes, !json.isEmpty else { return nil }
        return try StoredJSON.read(json, of: uid)
    }

    @discardableResult
    package func setRole(_ role: AccountRole?, of uid: String) async throws(TodoError) -> Bool {
        try await write("todomate_set_role", uid, [role?.rawValue ?? "none"], nil)
    }

    package func role(of uid: String) async throws(TodoError) -> AccountRole? {
        try await read("todomate_role", uid).string.flatMap(AccountRole.init)
    }

    @discardableResult
    package func limit(
        _ uid: String,
        _ changes: [AccountLimits.Kind: AccountLimits.Change],
        by: String?
    ) async throws(TodoError) -> Bool {
        try AccountLimits.check(changes)
        return try await write("todomate_limit", uid, [AccountLimits.json(changes)], by)
    }

    private func read(_ name: String, _ uid: String, _ words: [String] = []) async throws(TodoError) -> RedisValue {
        try await functions.call(name, uid, words, readsOnly: true, isRepeatable: true)
    }

    /// Each says what is to be, so that doing it twice is doing it once.
    private func write(
        _ name: String,
        _ uid: String,
        _ words: [String],
        _ by: String?
    ) async throws(TodoError) -> Bool {
        try await functions.call(name, uid, words + (by.map { [$0] } ?? []), isRepeatable: true).integer == 1
    }
}
