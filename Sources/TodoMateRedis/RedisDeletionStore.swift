package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Accounts that are to be deleted, in `todomate:{uid}:profile`, with an index of them in `todomate:leaving`.
///
/// The profile alone decides, and the functions look at it and at Redis's clock in one step. The index only says which profiles to
/// look at: a name is there from before its profile is marked until nothing is left to do.
@LoopActor
package final class RedisDeletionStore: DeletionStoreType {
    /// A name whose profile says nothing was put there by somebody who died before the profile was marked, unless it is young.
    private static let youth = 3600
    private static let leaseMilliseconds = "300000"
    /// Refused where the clocks are apart, and asked again.
    private static let aheadSeconds = 60

    private let functions: TodoFunctions
    private let relations: RedisRelationStore
    private let purge: AccountPurge
    private let identities: RedisIdentityStore

    init(_ functions: TodoFunctions, _ relations: RedisRelationStore, _ purge: AccountPurge) {
        (self.functions, self.relations, self.purge) = (functions, relations, purge)
        identities = RedisIdentityStore(functions)
    }

    private var now: Int { Int(Date().timeIntervalSince1970) }

    package func begin(
        of uid: String,
        after seconds: Int,
        since generation: Int?,
        keeping session: String?
    ) async throws(TodoError) -> Int {
        try TodoBounds.uid(uid)
        // First, so that no mark is ever without it.
        try await index(uid, at: now + seconds)
        let words = [String(seconds), generation.map(String.init) ?? ""] + (session.map { [$0] } ?? [])
        let reply = try await functions.call("todomate_leave", uid, words, isRepeatable: true)
        guard let due = reply.string.flatMap({ Int($0) }) else { throw Self.broken }
        // And once more: a name without a mark may have been taken out in between.
        try await index(uid, at: due)
        return due
    }

    package func withdraw(of uid: String) async throws(TodoError) {
        _ = try await functions.call("todomate_stay", uid, [], isRepeatable: false)
        try await index(uid, at: now)
    }

    package func deletion(of uid: String) async throws(TodoError) -> AccountDeletion {
        let reply = try await functions.call("todomate_leaving", uid, [], readsOnly: true, isRepeatable: true)
        guard let words = reply.array?.map(\.string), words.count == 2, let due = words[0], let step = words[1] else {
            throw Self.broken
        }
        return AccountDeletion(due: Int(due), step: AccountDeletion.Step(rawValue: step))
    }

    package func leaving(
        among uids: [String]
    ) async throws(TodoError) -> (leaving: Set<String>, unknown: Set<String>) {
        guard !functions.isInCluster else { return await leavingByThemselves(uids) }
        guard !uids.isEmpty else { return ([], []) }
        var command = RedisCommand("ZMSCORE", TodoKeys.leaving)
        for uid in uids { command.append(uid) }
        let scores = try await functions.plain(command, isRepeatable: true).array ?? []
        var found: Set<String> = []
        // The index may name some who are not leaving.
        for (uid, score) in zip(uids, scores) where score != .null {
            if try await deletion(of: uid).due != nil { found.insert(uid) }
        }
        return (found, [])
    }

    /// Asks each: the index of all is at one node, and nobody's data are to depend on the node of others.
    private func leavingByThemselves(_ uids: [String]) async -> (leaving: Set<String>, unknown: Set<String>) {
        var (leaving, unknown): (Set<String>, Set<String>) = ([], [])
        await functions.read("todomate_leaving", of: uids) { index, answer in
            switch answer {
            case .success(let due): if due.string?.isEmpty == false { leaving.insert(uids[index]) }
            case .failure: unknown.insert(uids[index])
            }
        }
        return (leaving, unknown)
    }

    @discardableResult
    package func advance(_ uid: String) async throws(TodoError) -> Bool {
        let state = try await deletion(of: uid)
        if let due = state.due, due <= now + Self.aheadSeconds {
            do throws(TodoError) {
                _ = try await identities.releaseAll(of: uid) { () async throws(TodoError) in
                    try await functions.call("todomate_delete_leaving", uid, [], isRepeatable: false)
                }
                return try await delete(uid)
            } catch .conflict {
                // Not yet, or not any more.
            }
        }
        switch state.step {
        case .purging: return try await delete(uid)
        case .returning:
            try await tellOthers(of: uid)
            // Who asked meanwhile wrote nothing here.
            try await relations.settleWishes(for: uid)
            if try await isTold(uid, "") { try await forget(uid) }
        case nil where state.due != nil:
            try await tellOthers(of: uid)
            _ = try await isTold(uid, state.due.map(String.init) ?? "")
        case nil:
            let score = try await functions.plain(RedisCommand("ZSCORE", TodoKeys.leaving, uid)).string
            if let at = score.flatMap({ Double($0) }), at < Double(now - Self.youth) { try await forget(uid) }
        case .told: break
        }
        return false
    }

    package func due() async throws(TodoError) -> [String] {
        let command = RedisCommand("ZRANGE", TodoKeys.leaving, "0", "-1")
        return try await functions.plain(command, isRepeatable: true).array?.compactMap(\.string) ?? []
    }

    package func takeLease() async throws(TodoError) -> Bool {
        let command = RedisCommand("SET", TodoKeys.leavingLease, "1", "NX", "PX", Self.leaseMilliseconds)
        do throws(TodoError) {
            return try await functions.plain(command).string == "OK"
        } catch .unavailable {
            // Redis may be full, and deletions free memory: several workers at a time do no harm.
            return true
        }
    }

    package func giveLeaseBack() async throws(TodoError) {
        _ = try await functions.plain(RedisCommand("DEL", TodoKeys.leavingLease))
    }

    /// The accounts that something is due about and that are not in the index; puts them there if it is told to. Goes through all
    /// profiles.
    package func unindexed(repairing: Bool) async throws(TodoError) -> [String] {
        let known = Set(try await due())
        var found: [String] = []
        for uid in try await functions.users(having: .profile) where !known.contains(uid) {
            let state = try await deletion(of: uid)
            // One that an operator has begun to delete is theirs to end.
            guard state.due != nil || state.step == .returning else { continue }
            found.append(uid)
            if repairing { try await index(uid, at: state.due ?? now) }
        }
        return found
    }

    // MARK: Parts

    private func delete(_ uid: String) async throws(TodoError) -> Bool {
        try await purge.goOn(uid)
        try await forget(uid)
        return true
    }

    /// Has all others' sides hear of this one: of the lists that are here, and of pairs that were left half-way.
    private func tellOthers(of uid: String) async throws(TodoError) {
        for part in [TodoKeys.Part.following, .followers, .requests, .away, .unsettled] {
            let key = TodoKeys.key(part, of: uid)
            let pages = functions.members(of: key, part.type == "hash" ? .hash : .sortedSet)
            // All of them first: settling changes the list.
            var others: [String] = []
            while let page = try await pages.next() {
                others += page.compactMap { String(validating: $0.name, as: UTF8.self) }
            }
            for other in others { try await relations.repair.settle(uid, other) }
        }
    }

    private func isTold(_ uid: String, _ due: String) async throws(TodoError) -> Bool {
        try await functions.call("todomate_told", uid, [due], isRepeatable: true).integer == 1
    }

    private func index(_ uid: String, at seconds: Int) async throws(TodoError) {
        _ = try await functions.plain(RedisCommand("ZADD", TodoKeys.leaving, String(seconds), uid), isRepeatable: true)
    }

    /// Takes a name out of the index; one that was marked at the same moment comes back.
    private func forget(_ uid: String) async throws(TodoError) {
        _ = try await functions.plain(RedisCommand("ZREM", TodoKeys.leaving, uid), isRepeatable: true)
        let state = try await deletion(of: uid)
        if state.due != nil || state.step != nil { try await index(uid, at: state.due ?? now) }
    }

    private static let broken = TodoError.broken(
        "a function answered something else about a deletion than it should: 'todomate doctor' checks the functions"
    )
}
