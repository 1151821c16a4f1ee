import EventLoop
import RedisClient
package import TodoMate

// What people have decided.
extension RedisArchive {
    /// Sessions, and what decides about them, are of one installation alone.
    private static let profileFields = Set(
        ["password", "mail", "audience", "visibility", "feedSeen"] + Preferences.fields
    )

    /// What a user's profile holds, but for what is of this installation alone.
    package func profile(of uid: String) async throws(TodoError) -> [String: String] {
        // Nobody could sign in to an account that was made of a password that nobody has.
        var fields = try await storedProfile(of: uid)
        if fields["password"] == SignInFacts.noPassword { fields["password"] = nil }
        // That there are none is said as well, so that an import with `--replace` has none either.
        if !fields.isEmpty, fields["goals"] == nil { fields["goals"] = "[]" }
        return fields
    }

    private func storedProfile(of uid: String) async throws(TodoError) -> [String: String] {
        let reply = try await send(RedisCommand("HGETALL", TodoKeys.key(.profile, of: uid))).array ?? []
        var fields: [String: String] = [:]
        for pair in stride(from: 0, to: reply.count - 1, by: 2) {
            guard let name = reply[pair].string, Self.profileFields.contains(name), let value = reply[pair + 1].string
            else { continue }
            fields[name] = value
        }
        let goals = try await goals(of: uid)
        if !goals.isEmpty { fields["goals"] = "[\(goals.map(\.json).joined(separator: ","))]" }
        let routines = try await send(RedisCommand("HVALS", TodoKeys.key(.routines, of: uid))).array ?? []
        if !routines.isEmpty {
            fields["routines"] = "[\(routines.compactMap(\.string).sorted().joined(separator: ","))]"
        }
        // Decisions about this installation's account stay here; only the audience shows them.
        if let audience = reply.value(of: "leavingAudience") { fields["audience"] = audience }
        return fields
    }

    /// Those that can be read, in the order of their ids.
    private func goals(of uid: String) async throws(TodoError) -> [Goal] {
        let stored = try await send(RedisCommand("HGETALL", TodoKeys.key(.goals, of: uid))).array ?? []
        return stride(from: 0, to: stored.count - 1, by: 2).compactMap { index in
            let goal = stored[index + 1].bytes.flatMap(ReadableGoal.init(json:))?.goal
            return goal?.id == stored[index].string ? goal : nil
        }.sorted { $0.id < $1.id }
    }

    /// Writes what a profile holds, field by field.
    package func importProfile(
        _ fields: [String: String],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> ArchiveOutcome {
        let old = try await storedProfile(of: uid)
        // An address counts where somebody who reads it has confirmed it.
        var new = fields.filter { $0.key != "mail" && old[$0.key] != $0.value }
        let goals = try new["goals"].map(ArchiveLine.goals)
        let oldGoals = old["goals"].flatMap { try? ArchiveLine.goals($0) } ?? []
        // Only with `replacing` a list of none takes anything away.
        if goals == oldGoals || goals?.isEmpty == true && !replacing { new["goals"] = nil }
        guard !new.isEmpty else { return .unchanged }
        if new["goals"] != nil, !oldGoals.isEmpty, !replacing { return .refused("\(uid) has other goals already") }
        if let taken = new.keys.sorted().first(where: { $0 != "goals" && old[$0] != nil }), !replacing {
            return .refused("\(uid) has another \(taken) already")
        }
        let settings = AccountPatch(
            audience: new["audience"].flatMap(Visibility.init),
            visibility: new["visibility"].flatMap(Visibility.init),
            feedSeen: new["feedSeen"].flatMap { Int($0) },
            preferences: new.filter { Preferences.fields.contains($0.key) }
        )
        // Those are checked and published to open boards; the first import of them also writes what was left out.
        if !settings.isEmpty { try await RedisRelationStore(functions).set(settings, of: uid) }
        if new["goals"] != nil, let goals, let refusal = try await restore(goals, of: uid, replacing: replacing) {
            return .refused(refusal)
        }
        if let routines = new["routines"] {
            let patches = try ArchiveLine.routines(routines).map { RoutinePatch($0) }
            if !patches.isEmpty {
                try await RedisRoutineStore(functions, RedisRelationStore(functions)).set(patches, of: uid)
            }
        }
        if let hash = new["password"] {
            let sessions = RedisSessionStore(functions)
            do throws(TodoError) {
                if replacing, old["password"] != nil {
                    try await sessions.setPasswordHash(hash, of: uid)
                } else {
                    // Not over what came in between.
                    try await sessions.enroll(uid, passwordHash: hash, keepingData: true)
                }
            } catch .exists(let reason) {
                return .refused(reason)
            }
        }
        return old.isEmpty ? .added : .replaced
    }

    /// Writes the goals of an export, all or none.
    ///
    /// - Returns: why they were refused; nil for well.
    private func restore(_ goals: [Goal], of uid: String, replacing: Bool) async throws(TodoError) -> String? {
        let words = [replacing ? "replace" : "add"] + goals.map(\.json)
        do throws(TodoError) {
            _ = try await functions.call("todomate_restore_goals", uid, words, isRepeatable: true)
            return nil
        } catch .exists(let reason) {
            return reason
        }
    }
}

extension [RedisValue] {
    /// The value of a field, in the pairs of a hash.
    fileprivate func value(of name: String) -> String? {
        stride(from: 0, to: count - 1, by: 2).first { self[$0].string == name }.flatMap { self[$0 + 1].string }
    }
}
