import EventLoop
import TodoMate

/// Answers equal questions by one read: of many that are asked at the same time, two go to Redis.
///
/// Each is answered by a read that began after it was asked, so that what somebody knows already is never missing in it.
@LoopActor
final class SharedReads<Key: Hashable & Sendable, Value: Sendable> {
    private struct Reading {
        let number: Int
        let task: Task<Result<Value, TodoError>, Never>
    }

    private var readings: [Key: Reading] = [:]
    private var begun = 0

    nonisolated init() {}

    /// What `read` answers, here or for somebody else who asked the same.
    func value(
        _ key: Key,
        _ read: @escaping @LoopActor () async throws(TodoError) -> Value
    ) async throws(TodoError) -> Value {
        let asked = begun
        while let reading = readings[key] {
            let result = await reading.task.value
            if reading.number > asked { return try result.get() }
        }
        begun += 1
        let task = Task { [weak self] () async -> Result<Value, TodoError> in
            defer { self?.readings[key] = nil }
            do throws(TodoError) {
                return .success(try await read())
            } catch {
                return .failure(error)
            }
        }
        readings[key] = Reading(number: begun, task: task)
        return try await task.value.get()
    }
}
