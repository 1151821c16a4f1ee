import EventLoop
import RedisClient
import TodoMate
import TodoMateRedis

/// Looks for users whose deletion was begun and is not over.
@LoopActor
enum AccountCheck {
    private static let topic = "accounts"

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        let unfinished = try await context.redis.withRepository { try await $0.purge.unfinished() }
        return unfinished.sorted().map { uid in
            .error(
                topic,
                "the deletion of \(uid) was begun and is not over: some of the user's data are still here",
                "todomate user remove --purge \(uid)"
            )
        }
    }
}
