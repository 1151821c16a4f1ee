import EventLoop
import TodoMate

/// Answers equal questions by one read: of many that are asked at the same time, two go to Redis.
///
/// Each is answered by a read that began after it was asked, so that what somebody knows already is never missing in it.
@LoopActor
final class SharedReads<Key: Hashable & Sendable, Value: Sendable> {
    private typealias Answer = Result<Value, TodoError>

    /// A read under way, and those who wait for its answer.
    private final class Reading {
        let number: Int
        var waiters: [LoopContinuation<Answer>] = []

        init(_ number: Int) { self.number = number }
    }

    private var readings: [Key: Reading] = [:]
    private var begun = 0

    nonisolated init() {}

    /// What `read` answers, here or for somebody else who asked the same.
    func value(
        _ key: Key,
        _ read: @LoopActor () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        let asked = begun
        while let reading = readings[key] {
            let answer = await LoopActor.suspend { reading.waiters.append($0) }
            if reading.number > asked { return try answer.get() }
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
