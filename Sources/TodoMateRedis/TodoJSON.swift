import EventLoop
import RedisClient
import TodoMate

/// Reads what the functions answer.
enum TodoJSON {
    /// A todo that was read by its id.
    static func stored(_ reply: RedisValue, _ id: String) throws(TodoError) -> TodoRecord {
        do throws(TodoError) {
            return try TodoRecord(json: reply.bytes ?? [])
        } catch {
            throw .broken("Redis holds a todo \(id) that cannot be read: remove it with todomate_remove")
        }
    }

    // Bytes, which are much faster to compare with than a string.
    private static let unchanged = Array(#"{"type":"unchanged","todo":"#.utf8)

    /// What a writing function answered: a message, or `{"type":"unchanged","todo":{…}}`.
    @LoopActor
    static func write(_ bytes: [UInt8], of uid: String, from function: String) throws(TodoError) -> TodoWrite {
        if bytes.starts(with: unchanged) {
            return .unchanged(try TodoRecord(json: Array(bytes.dropFirst(unchanged.count).dropLast())))
        }
        do throws(MessageRefusal) {
            return .changed(try TodoChange(message: bytes, uid: uid))
        } catch {
            throw .broken("\(function) answered something that is no change: \(error)")
        }
    }
}
