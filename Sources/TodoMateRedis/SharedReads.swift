import EventLoop
import TodoMate

/// Shares reads between concurrent equal requests: of many at the same time, two go to Redis.
///
/// Each is answered by a read that began after the request, so that the answer is never older than the request.
@LoopActor
final class SharedReads<Key: Hashable & Sendable, Value: Sendable> {
    private typealias Answer = Result<Value, TodoError>

    /// A read in progress, and those who wait for its answer.
    private final class Reading {
        let number: Int
        var waiters: [LoopContinuation<Answer>] = []

        init(_ number: Int) { self.number = number }
    }

    private var readings: [Key: Reading] = [:]
    private var begun = 0

    nonisolated init() {}

    /// The result of `read`, of this call or of an equal one.
    func value(
        _ key: Key,
        _ read: @LoopActor () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        let requested = begun
        while let reading = readings[key] {
            let answer = await LoopActor.suspend { reading.waiters.append($0) }
            if reading.number > requested { return try answer.get() }
        }
        begun += 1
        let reading = Reading(begun)
        readings[key] = reading
        let answer: Answer
        do throws(TodoError) {
            answer = .success(try await read())
        } catch {
            answer = .failure(error)
        }
        readings[key] = nil
        for waiter in reading.waiters { waiter.resume(returning: answer) }
        return try answer.get()
    }
}
