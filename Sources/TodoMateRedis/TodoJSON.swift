import EventLoop
import Foundation
import TodoMate

/// Reads what the functions answer.
enum TodoJSON {
    /// A todo; nil when it is none.
    static func todo(_ bytes: some Collection<UInt8>) -> Todo? {
        try? JSONDecoder().decode(TodoDTO.self, from: Data(bytes)).toModel()
    }

    // Bytes, as comparing with those of a text takes ten times as long.
    private static let unchanged = Array(#"{"type":"unchanged","todo":"#.utf8)

    /// What a writing function answered: a message, or `{"type":"unchanged","todo":{…}}`.
    @LoopActor
    static func write(_ bytes: [UInt8], of uid: String, from function: String) throws(TodoError) -> TodoWrite {
        if bytes.starts(with: unchanged), let todo = todo(bytes.dropFirst(unchanged.count).dropLast()) {
            return .unchanged(todo)
        }
        do throws(MessageRefusal) {
            return .changed(try TodoChange(message: bytes, uid: uid))
        } catch {
            throw .broken("\(function) answered something that is no change: \(error)")
        }
    }
}
