import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// Looks for users whose deletion was begun and is not over, and for those whom no worker would find when it is due.
@LoopActor
enum AccountCheck {
    private static let topic = "accounts"

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        try await context.redis.withRepository { repository in
            let unindexed = try await repository.deletions.unindexed(repairing: context.mayRepair)
            let known = Set(try await repository.deletions.due())
            // Workers go on with those that they have begun themselves.
            let unfinished = try await repository.purge.unfinished().filter { !known.contains($0) }
            let unnoted = try await repository.looks.unnoted(repairing: context.mayRepair)
            return notes(about: unnoted, areRepaired: context.mayRepair)
                + unfinished.sorted().map { uid in
                    .error(
                        topic,
                        "the deletion of \(uid) was begun and is not over: some of the user's data are still here",
                        "todomate user remove --purge \(uid)"
                    )
                }
                + unindexed.map { uid in
                    let message = "\(uid) has decided about the account's deletion, and no worker knows"
                    return context.mayRepair
                        ? .note(topic, message + " (repaired)") : .error(topic, message, "todomate doctor --repair")
                }
        }
    }

    /// One line for all: after an upgrade from a version that noted no names, it is every account.
    private static func notes(about unnoted: [String], areRepaired: Bool) -> [Finding] {
        guard let first = unnoted.first else { return [] }
        let others = unnoted.count == 1 ? "" : " and \((unnoted.count - 1).grouped) more"
        let message = "others can make accounts whose names look like \(first)\(others)"
        return [areRepaired ? .note(topic, message + " (repaired)") : .note(topic, message, "todomate doctor --repair")]
    }
}
