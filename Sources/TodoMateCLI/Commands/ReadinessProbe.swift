import EventLoop
import TodoMate
import TodoMateRedis

/// Asks Redis whether it serves at this moment, functions included; a hung Redis is found before its heartbeat is missed.
@LoopActor
enum ReadinessProbe {
    /// How long it has to answer.
    static let limit = Duration.milliseconds(1500)

    /// Why Redis cannot be used; nil when it can. A library that is gone is loaded on the way.
    static func objection(to repository: RedisTodoRepository) async -> String? {
        let (answers, answer) = AsyncStream.makeStream(of: String?.self)
        let timer = LoopTimer { answer.yield("Redis did not answer within 1.5 s") }
        timer.start(after: limit)
        defer { timer.cancel() }
        Task {
            do throws(TodoError) {
                try await repository.prepare()
                answer.yield(nil)
            } catch {
                answer.yield(error.description)
            }
        }
        for await objection in answers { return objection }
        return nil
    }
}
