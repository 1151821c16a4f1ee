import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// Checks all keys of TodoMate: leftovers, wrong types, and each user's todos, index and log.
@LoopActor
enum KeyCheck {
    private static let topic = "keys"
    /// The most examples that are named.
    private static let mostNamed = 5

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        let survey = try await survey(context.client)
        var findings = survey.findings
        var todos = 0
        var bar = ProgressBar(
            ProgressLine(label: "doctor", unit: "users", total: survey.users.count),
            terminal: context.messages
        )
        defer { bar.clear() }
        for (index, uid) in survey.users.sorted().enumerated() where !survey.unreadable.contains(uid) {
            bar.update(index)
            var audit = UserAudit(uid: uid, client: context.client)
            try await audit.run()
            todos += audit.todoCount
            findings += try await report(audit, context)
        }
        if findings.allSatisfy({ $0.severity <= .note }) {
            let users = survey.users.count
            let owners = "\(users.grouped) user\(users == 1 ? "" : "s")"
            let message = "\(todos.grouped) todo\(todos == 1 ? "" : "s") of \(owners): todos, index and log agree"
            findings.insert(.ok(topic, message), at: 0)
        }
        return findings
    }

    /// What the names of all keys tell.
    private struct Survey {
        var users: Set<String> = []
        /// Users with a key of a wrong type: their todos cannot be checked.
        var unreadable: Set<String> = []
        var findings: [Finding] = []
    }

    private static func survey(_ client: RedisClient) async throws -> Survey {
        var survey = Survey()
        var leftovers: [String] = []
        var scan = client.scan("todomate:*")
        while let keys = try await scan.next() {
            let types = try await client.pipelined(keys.map { RedisCommand("TYPE", $0) })
            for (key, type) in zip(keys, types) {
                let parts = TodoKeys.parts(of: key)
                let isOwn = [TodoKeys.alike, TodoKeys.mails].contains { key.hasPrefix($0) }
                guard key != TodoKeys.announcement, !isOwn else { continue }
                let isShared = [TodoKeys.libraryLock, TodoKeys.leaving, TodoKeys.leavingLease].contains(key)
                guard parts != nil || isShared || key.hasPrefix(TodoKeys.libraryLock + ":{") else {
                    leftovers.append(key)
                    continue
                }
                let (uid, due) = (parts?.uid, parts?.part.type ?? (key == TodoKeys.leaving ? "zset" : "string"))
                if let uid, parts?.part != .identity { survey.users.insert(uid) }
                // "none" is a key that was deleted meanwhile.
                guard type.string == due || type.string == "none" else {
                    if case .error(let error) = type { throw RedisError.server(error) }
                    if let uid { survey.unreadable.insert(uid) }
                    survey.findings.append(
                        .error(topic, "\(key) is a \(type.string ?? "?"), not a \(due)", "rename or delete it")
                    )
                    continue
                }
                guard key != TodoKeys.leaving, parts?.part.expires ?? true,
                    try await client.send(RedisCommand("TTL", key)).integer == -1
                else {
                    continue
                }
                survey.findings.append(.warning(topic, "\(key) stays for ever", "redis-cli DEL '\(key)'"))
            }
        }
        if !leftovers.isEmpty {
            let names = named(leftovers.sorted())
            survey.findings.append(
                .note(topic, "TodoMate does not use \(names)", "delete them with redis-cli DEL if they are not yours")
            )
        }
        return survey
    }

    /// The findings of an audit, repaired or not.
    private static func report(_ audit: UserAudit, _ context: DoctorCheck.Context) async throws -> [Finding] {
        let uid = audit.uid
        var findings =
            audit.corrupt.isEmpty
            ? []
            : [
                Finding.error(
                    topic,
                    "\(uid) has todos that cannot be read: \(named(audit.corrupt))",
                    "redis-cli HGET 'todomate:{\(uid)}:todos' <id> shows one; repair it with HSET, or HDEL it and --repair"
                )
            ]
        if !audit.corruptGoals.isEmpty {
            findings.append(
                .error(
                    topic,
                    "\(uid) has goals that cannot be read, and are not shown: \(named(audit.corruptGoals))",
                    "redis-cli HGET 'todomate:{\(uid)}:goals' <id> shows one; repair it with HSET, or HDEL it"
                )
            )
        }
        if !audit.corruptRoutines.isEmpty {
            findings.append(
                .error(
                    topic,
                    "\(uid) has routines that cannot be read, and are not shown: \(named(audit.corruptRoutines))",
                    "update TodoMate if a newer one wrote them; redis-cli HGET 'todomate:{\(uid)}:routines' <id> shows one: "
                        + "repair it with HSET, or HDEL it"
                )
            )
        }
        if !audit.uncolouredGoals.isEmpty {
            findings.append(
                .warning(
                    topic,
                    "\(uid) has goals of a colour that is not known here, and are shown gray: \(named(audit.uncolouredGoals))",
                    "update TodoMate if a newer one wrote them, or choose another: "
                        + "'todomate goal set \(uid) <id> --color teal'"
                )
            )
        }
        if let entry = audit.brokenLogEntry {
            findings.append(
                .error(
                    topic,
                    "the log of \(uid) ends with \(entry), which is no change",
                    "redis-cli XDEL 'todomate:{\(uid)}:log' \(entry)"
                )
            )
        }
        if let ahead = audit.ahead {
            findings.append(
                .warning(
                    topic,
                    "the last change of \(uid) is dated \(distance(ahead)) ahead of Redis's clock",
                    "set the clock right if it is wrong; feeds leave that change out until the next one, which has the right time"
                )
            )
        }
        if let fullness = audit.fullness {
            findings.append(
                .warning(
                    topic,
                    "the todos of \(uid) take \(fullness) % of what they may",
                    "have old ones removed, or allow more: 'todomate user limit \(uid) --bytes <size>'"
                )
            )
        }
        var wrongTotals: [String] = []
        if audit.isMiscounted { wrongTotals.append("\(uid): the counts of open todos are wrong") }
        if let (logged, actual) = audit.misweighed {
            wrongTotals.append("\(uid): the todos take \(actual.grouped) bytes, and the log says \(logged.grouped)")
        }
        if !wrongTotals.isEmpty, context.mayRepair {
            try await context.redis.withRepository { _ = try await $0.feeds.recount(uid) }
        }
        findings += wrongTotals.map {
            context.mayRepair
                ? .note(topic, $0 + " (repaired)") : .error(topic, $0, "todomate doctor --repair")
        }
        guard !audit.repairable.isEmpty else { return findings }
        let names = audit.repairable.sorted { $0.key < $1.key }.map { "\(named($0.value)) \($0.key)" }
        let message = "\(uid): \(names.joined(separator: "; "))"
        guard context.mayRepair else {
            return findings + [.error(topic, message, "todomate doctor --repair")]
        }
        let ids = audit.repairable.values.flatMap { $0 }
        let refusals = try await context.redis.withArchive { try await $0.repair(ids, of: uid) }
        findings.append(.note(topic, message + " (repaired)"))
        return findings
            + refusals.map { .error(topic, "\(uid): \($0.id) was not repaired", "\($0.reason)") }
    }

    private static func distance(_ time: Duration) -> String {
        let minutes = Int((time / .seconds(60)).rounded())
        let (count, unit) =
            minutes >= 2880 ? (minutes / 1440, "days") : minutes >= 120 ? (minutes / 60, "hours") : (minutes, "minutes")
        return "\(count.grouped) \(unit)"
    }

    private static func named(_ names: [String]) -> String {
        let more = names.count > mostNamed ? " and \(names.count - mostNamed) more" : ""
        return names.prefix(mostNamed).map { $0.sanitized() }.joined(separator: ", ") + more
    }
}
