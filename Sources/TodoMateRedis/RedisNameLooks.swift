package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Which names look alike, in `todomate:alike:<look>`, so that nobody makes an account that is mistaken for another one's.
///
/// These hashes only say which profiles to look at: a name is there from before its account is made, with that time. Of two that
/// are made at once, each notes itself before it reads, so that one of them at least sees the other; maybe both do, and neither is made.
@LoopActor
package final class RedisNameLooks {
    /// An account is made well within this time after its name was noted; what came of nothing stands in nobody's way after it.
    private static let seconds = 120

    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    /// Notes a name before somebody makes an account of it.
    ///
    /// - Throws: ``TodoError/exists(_:)`` where one that looks like it has an account, or is getting one.
    func claim(_ uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        let isNew = try await note(uid)
        let now = Int(Date().timeIntervalSince1970)
        for (other, noted) in try await noted(like: uid) {
            if try await hasAccount(other) {
                if isNew { try await forget(uid) }
            } else if noted + Self.seconds < now {
                try await forget(other)
                continue
            }
            throw .exists("a name that looks like \(uid) is taken: choose another")
        }
    }

    /// Notes a name that has an account, or is about to.
    ///
    /// - Returns: whether it was not noted before.
    @discardableResult
    func note(_ uid: String) async throws(TodoError) -> Bool {
        let now = String(Int(Date().timeIntervalSince1970))
        // Said twice where the first answer was lost: then it is taken for noted before, and stays.
        let command = RedisCommand("HSET", Self.key(uid), uid, now)
        return try await functions.plain(command, isRepeatable: true).integer == 1
    }

    /// Forgets a name that has no account any more.
    func forget(_ uid: String) async throws(TodoError) {
        _ = try await functions.plain(RedisCommand("HDEL", Self.key(uid), uid), isRepeatable: true)
    }

    /// The names that look like this one and have an account.
    package func accounts(like uid: String) async throws(TodoError) -> [String] {
        var found: [String] = []
        for (other, _) in try await noted(like: uid) where try await hasAccount(other) { found.append(other) }
        return found.sorted()
    }

    /// The accounts whose names are not noted, such as those of before names were; notes them if it is told to.
    package func unnoted(repairing: Bool) async throws(TodoError) -> [String] {
        var found: [String] = []
        for uid in try await functions.users(having: .profile) {
            let field = RedisCommand("HEXISTS", Self.key(uid), uid)
            guard try await functions.plain(field, isRepeatable: true).integer == 0, try await hasAccount(uid) else {
                continue
            }
            found.append(uid)
            if repairing { try await note(uid) }
        }
        return found
    }

    private static func key(_ uid: String) -> String { TodoKeys.alike + NameLikeness.look(of: uid) }

    private func noted(like uid: String) async throws(TodoError) -> [(uid: String, at: Int)] {
        let reply = try await functions.plain(RedisCommand("HGETALL", Self.key(uid)), isRepeatable: true)
        let words = reply.array?.map(\.string) ?? []
        return stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
            // Others may have written here what is no name.
            guard let other = words[index], NameLikeness.areAlike(uid, other), (try? TodoBounds.uid(other)) != nil
            else { return nil }
            return (other, words[index + 1].flatMap { Int($0) } ?? 0)
        }
    }

    private func hasAccount(_ uid: String) async throws(TodoError) -> Bool {
        let field = RedisCommand("HEXISTS", TodoKeys.key(.profile, of: uid), "password")
        return try await functions.plain(field, isRepeatable: true).integer == 1
    }
}
