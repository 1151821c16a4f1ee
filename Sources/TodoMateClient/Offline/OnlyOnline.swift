import EventLoop
import TodoMate

/// Does what does not wait to be sent, and says so where the server does not answer.
@LoopActor
func onlyOnline<Value>(
    _ what: String,
    _ write: @LoopActor () async throws(TodoError) -> Value
) async throws(TodoError) -> Value {
    do throws(TodoError) {
        return try await write()
    } catch .unavailable(let reason) {
        throw .unavailable("\(what) needs the server and is not sent later, so try again when it is there: \(reason)")
    }
}
