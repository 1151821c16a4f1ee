import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// Compares the two sides of every relation between users.
///
/// They are read page by page while others write; a difference counts only if it is still there in a second check.
@LoopActor
enum FollowingCheck {
    private static let topic = "following"
    /// The most examples that are named.
    private static let mostNamed = 5
    /// Two sides that are just about to meet need less than this.
    private static let patience = Duration.milliseconds(250)

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        var audit = FollowingAudit(client: context.client, messages: context.messages)
        try await audit.run()
        var findings = audit.corrupt.map { key, other in
            Finding.error(
                topic,
                "\(key) has an entry that cannot be read: \(other.sanitized())",
                "take it out with \(key.hasSuffix("s") ? "ZREM" : "HDEL"), then todomate doctor --repair"
            )
        }
        var wrong = audit.suspects
        if !wrong.isEmpty {
            await LoopTimer.sleep(for: patience)
            wrong = try await audit.stillWrong(wrong)
        }
        guard !wrong.isEmpty else {
            guard findings.isEmpty, audit.count > 0 else { return findings }
            return [.ok(topic, "\(audit.count.grouped) followings: both sides agree")]
        }
        let message = "sides that do not agree: " + named(wrong)
        guard context.mayRepair else { return findings + [.error(topic, message, "todomate doctor --repair")] }
        try await context.redis.withRepository { repository in
            repository.relations.repair.isForAccountsAlone = audit.hasAccounts
            for pair in wrong { try await repository.relations.repair.settle(pair.one, pair.other) }
        }
        let left = try await audit.stillWrong(wrong)
        findings.append(.note(topic, message + " (repaired)"))
        if !left.isEmpty {
            findings.append(
                .error(topic, "not repaired: \(named(left))", "run the doctor again while nothing writes to them")
            )
        }
        return findings
    }

    private static func named(_ pairs: [FollowingAudit.Pair]) -> String {
        let more = pairs.count > mostNamed ? " and \(pairs.count - mostNamed) more" : ""
        return pairs.prefix(mostNamed).map { "\($0.one) and \($0.other)" }.joined(separator: ", ") + more
    }
}
