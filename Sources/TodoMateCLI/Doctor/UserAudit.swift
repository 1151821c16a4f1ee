import EventLoop
import Foundation
import RedisClient
import TodoMate
import TodoMateRedis

/// Compares one user's todos, index of days and log.
///
/// They are read page by page while others write; a difference is checked once more, both sides together, before it
/// counts.
@LoopActor
struct UserAudit {
    /// What can be repaired, as the report words it.
    private static let notIndexed = "missing in the index of days, or under a wrong day there"
    private static let withoutTodo = "in the index of days without a todo"
    private static let aheadOfLog = "at a later revision than the log has versions"

    let uid: String
    /// How many todos there are.
    private(set) var todoCount = 0
    /// Ids of todos that cannot be read.
    private(set) var corrupt: [String] = []
    /// Ids of goals that cannot be read.
    private(set) var corruptGoals: [String] = []
    /// Goals of a colour that is not known here.
    private(set) var uncolouredGoals: [String] = []
    /// Ids of routines that cannot be read.
    private(set) var corruptRoutines: [String] = []
    /// Ids that `todomate_repair` can repair, by what is wrong.
    private(set) var repairable: [String: [String]] = [:]
    /// Whether the counts of open todos are wrong.
    private(set) var isMiscounted = false
    /// The id of the log's last entry when that is no change.
    private(set) var brokenLogEntry: String?
    /// How far the log's last change is ahead of Redis's clock, where that is more than writes bring about by themselves.
    private(set) var ahead: Duration?
    /// How many hundredths of what the todos may weigh they do, where that is nearly all.
    private(set) var fullness: Int?
    /// What the log says that the todos weigh and what they do, where that is not the same.
    private(set) var misweighed: (said: Int, weighed: Int)?

    private let client: RedisClient
    private var newest: (id: String, revision: Int)?
    /// What all todos weigh.
    private var weight = 0
    /// How many todos are open on each day.
    private var open: [String: Int] = [:]

    init(uid: String, client: RedisClient) {
        self.uid = uid
        self.client = client
    }

    private var todosKey: String { TodoKeys.key(.todos, of: uid) }
    private var daysKey: String { TodoKeys.key(.days, of: uid) }
    private var openKey: String { TodoKeys.key(.open, of: uid) }
    private var logKey: String { TodoKeys.key(.log, of: uid) }

    mutating func run() async throws {
        try await lookAtTodos()
        let sizes = try await client.pipelined([RedisCommand("HLEN", todosKey), RedisCommand("ZCARD", daysKey)])
        // Every todo has its entry by now: as many entries as todos leaves none without.
        if sizes[0].integer != sizes[1].integer || !repairable.isEmpty || !corrupt.isEmpty { try await lookAtIndex() }
        try await lookAtLog()
        try await lookAtCounts()
        try await lookAtWeight()
        try await lookAtGoals()
        try await lookAtRoutines()
    }

    private mutating func lookAtTodos() async throws {
        try await pages(.hash, todosKey) { audit, pairs in
            audit.todoCount += pairs.count
            audit.weight += pairs.reduce(0) { $0 + Self.weight(of: $1.1) }
            var days: [(id: String, day: Int)] = []
            for (id, value) in pairs {
                guard let todo = StoredTodo(value, id: id, uid: audit.uid)?.todo else {
                    if try await audit.isStillCorrupt(id) { audit.corrupt.append(id) }
                    continue
                }
                days.append((id, todo.date.ordinal))
                if Self.isOpen(todo) { audit.open["\(todo.date.ordinal)", default: 0] += 1 }
                if todo.revision > audit.newest?.revision ?? 0 { audit.newest = (id, todo.revision) }
            }
            guard !days.isEmpty else { return }
            var command = RedisCommand("ZMSCORE", audit.daysKey)
            for (id, _) in days { command.append(id) }
            let scores = try await audit.client.send(command).array ?? []
            for ((id, day), score) in zip(days, scores) where score.string.flatMap({ Double($0) }) != Double(day) {
                if try await audit.isStillWrong(id) { audit.repairable[Self.notIndexed, default: []].append(id) }
            }
        }
    }

    private mutating func lookAtIndex() async throws {
        try await pages(.sortedSet, daysKey) { audit, pairs in
            let ids = pairs.map(\.0)
            let isThere = try await audit.client.pipelined(ids.map { RedisCommand("HEXISTS", audit.todosKey, $0) })
            for (id, isThere) in zip(ids, isThere) where isThere.integer == 0 {
                if try await audit.isStillWrong(id) { audit.repairable[Self.withoutTodo, default: []].append(id) }
            }
        }
    }

    private mutating func lookAtLog() async throws {
        let reply = try await client.send(RedisCommand("XREVRANGE", logKey, "+", "-", "COUNT", "1")).array ?? []
        let entry = reply.first?.array ?? []
        var version = 0
        if let id = entry.first?.string {
            let fields = (entry.last?.array ?? []).compactMap(\.bytes)
            let prefix = Array(#"{"id":"\#(id)","#.utf8)
            let isChange =
                fields.count >= 2 && fields.first?.elementsEqual("change".utf8) == true
                && fields[1].starts(with: prefix)
            let isBeginning = fields.first?.elementsEqual("beginning".utf8) == true
            guard let change = ChangeID(id), isChange || isBeginning else {
                return brokenLogEntry = id
            }
            version = change.version
            try await compareWithClock(change)
        }
        // The log was read after the todos, and only grows: this does not pass by itself.
        if let newest, newest.revision > version { repairable[Self.aheadOfLog] = [newest.id] }
    }

    private mutating func lookAtGoals() async throws {
        let pairs = try await client.send(RedisCommand("HGETALL", TodoKeys.key(.goals, of: uid))).array ?? []
        for index in stride(from: 0, to: pairs.count - 1, by: 2) {
            let id = pairs[index].string ?? "?"
            let goal = pairs[index + 1].bytes.flatMap(ReadableGoal.init(json:))
            if goal?.goal?.id != id {
                corruptGoals.append(id)
            } else if goal?.hasKnownColor == false {
                uncolouredGoals.append(id)
            }
        }
    }

    private mutating func lookAtRoutines() async throws {
        let pairs = try await client.send(RedisCommand("HGETALL", TodoKeys.key(.routines, of: uid))).array ?? []
        for index in stride(from: 0, to: pairs.count - 1, by: 2) {
            let id = pairs[index].string ?? "?"
            let routine = pairs[index + 1].bytes.flatMap { try? JSONDecoder().decode(Routine.self, from: Data($0)) }
            if routine?.id != id { corruptRoutines.append(id) }
        }
    }

    private mutating func lookAtWeight() async throws {
        let question = FunctionCall.command(
            "todomate_profile",
            of: uid,
            readsOnly: true,
            isInCluster: client.isCluster
        )
        func read(_ reply: RedisValue) -> AccountProfile.Counts? {
            // Keys of wrong types, and functions that are missing, are findings of their own.
            try? JSONDecoder().decode(AccountProfile.self, from: Data(reply.bytes ?? [])).counts
        }
        guard var counts = read(try await client.pipelined([question])[0]) else { return }
        // What cannot be read must be corrected or removed by hand first.
        if corrupt.isEmpty, counts.bytes != weight {
            // As with the counts: what is written meanwhile is measured once more, both in one turn.
            let replies = try await client.pipelined([RedisCommand("HVALS", todosKey), question])
            weight = (replies[0].array ?? []).reduce(0) { $0 + Self.weight(of: $1.bytes ?? []) }
            guard let again = read(replies[1]) else { return }
            counts = again
            if counts.bytes != weight { misweighed = (counts.bytes, weight) }
        }
        let hundredths = counts.bytes * 100 / max(counts.bytesMost, 1)
        if hundredths >= 80 { fullness = hundredths }
    }

    /// What a stored todo weighs, as the functions count it: others' reactions at its end take no room of its owner's.
    private static func weight(of stored: [UInt8]) -> Int {
        (stored.firstRange(of: reactions).map { $0.lowerBound + 1 } ?? stored.count) + bytesBesides
    }

    private static let reactions = Array(",\"reactions\":{".utf8)
    private static let bytesBesides = 200

    private mutating func compareWithClock(_ last: ChangeID) async throws {
        let time = (try await client.send(RedisCommand("TIME")).array ?? []).compactMap { $0.string.flatMap(Int.init) }
        guard time.count == 2 else { return }
        let distance = last.microseconds - time[0] * 1_000_000 - time[1]
        if distance > TodoBounds.mostAhead { ahead = .microseconds(distance) }
    }

    /// What is counted differently while others write is counted once more, todos and counts in one turn.
    private mutating func lookAtCounts() async throws {
        guard corrupt.isEmpty,
            let stored = Self.counts(try await client.send(RedisCommand("HGETALL", openKey))), stored != open
        else { return }
        let replies = try await client.pipelined([
            RedisCommand("HVALS", todosKey), RedisCommand("HGETALL", openKey),
        ])
        let todos = (replies[0].array ?? []).compactMap { $0.bytes.flatMap { StoredTodo($0, id: nil, uid: uid)?.todo } }
        let counted = Dictionary(grouping: todos.filter(Self.isOpen)) { "\($0.date.ordinal)" }.mapValues(\.count)
        isMiscounted = Self.counts(replies[1]).map { $0 != counted } ?? false
    }

    private static func isOpen(_ todo: Todo) -> Bool { [.todo, .inProgress].contains(todo.status) }

    /// The counts by day; nil where they were not built yet.
    private static func counts(_ reply: RedisValue) -> [String: Int]? {
        let words = (reply.array ?? []).map { $0.string ?? "" }
        var counts: [String: Int] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) { counts[words[index]] = Int(words[index + 1]) ?? -1 }
        return counts.removeValue(forKey: "built") == nil ? nil : counts
    }

    /// Hands over all pairs of a hash or a sorted set; a pair may come twice.
    private mutating func pages(
        _ kind: MemberPages<RedisError>.Kind,
        _ key: String,
        _ body: @LoopActor (inout UserAudit, [(String, [UInt8])]) async throws -> Void
    ) async throws {
        let pages = client.members(of: key, kind)
        while let page = try await pages.next() {
            try await body(&self, page.map { (String(decoding: $0.name, as: UTF8.self), $0.value) })
        }
    }

    private func isStillCorrupt(_ id: String) async throws -> Bool {
        let value = try await client.send(RedisCommand("HGET", todosKey, id)).bytes
        return value.map { StoredTodo($0, id: id, uid: uid) == nil } ?? false
    }

    /// Whether todo and index entry disagree, both read in one turn.
    private func isStillWrong(_ id: String) async throws -> Bool {
        let replies = try await client.pipelined([
            RedisCommand("HGET", todosKey, id), RedisCommand("ZSCORE", daysKey, id),
        ])
        let score = replies[1].string.flatMap { Double($0) }
        guard let value = replies[0].bytes else { return score != nil }
        guard let todo = StoredTodo(value, id: id, uid: uid)?.todo else { return false }
        return score != Double(todo.date.ordinal)
    }
}
