import Foundation

@testable import TodoMate

/// Messages that anybody who reaches Redis may publish.
enum MessageFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        if let message = CanonicalMessage(bytes) {
            let todo = try require(message.todo, "an accepted message has no todo")
            try obeysBounds(todo)
            try agrees(message, todo, bytes)
            try readsBack(message.id, message.kind, todo)
        }
        if let message = try? PublishedMessage(bytes, uid: "alice") {
            try obeysBounds(message.todo)
            try readsBack(message.id ?? ChangeID(version: 1, microseconds: 0), message.kind, message.todo)
        }
    }

    /// The quick way accepts nothing that the careful way refuses or reads otherwise.
    private static func agrees(_ quick: CanonicalMessage, _ todo: Todo, _ bytes: [UInt8]) throws {
        let careful: PublishedMessage
        do throws(MessageRefusal) {
            careful = try PublishedMessage(bytes, uid: todo.uid)
        } catch {
            throw FuzzFailure(description: "only the quick way accepts it: \(error)")
        }
        try require(careful.id == quick.id, "the careful way reads the id \(String(describing: careful.id))")
        try require(careful.kind == quick.kind, "the careful way reads the kind \(careful.kind)")
        // Strings are equal in Swift when they look equal: the bytes must be.
        try require(
            CanonicalMessage.encode(careful.todo) == CanonicalMessage.encode(todo) && careful.todo == todo,
            "the careful way reads \(careful.todo) and not \(todo)"
        )
    }

    /// What is written is read as the same, and stays the same bytes from then on.
    static func readsBack(_ id: ChangeID, _ kind: ChangeKind, _ todo: Todo) throws {
        let bytes = CanonicalMessage.encode(id, kind, todo)
        let text = String(decoding: bytes, as: UTF8.self)
        let message = try require(CanonicalMessage(bytes), "refused when written again: \(text)")
        let again = try require(message.todo, "no todo when written again: \(text)")
        try require(message.id == id && message.kind == kind, "another change when written again: \(text)")
        try require(again == todo, "another todo when written again: \(again) and not \(todo)")
        try require(CanonicalMessage.encode(id, kind, again) == bytes, "other bytes when written again: \(text)")
    }

    static func obeysBounds(_ todo: Todo) throws {
        try TodoBounds.id(todo.id)
        try TodoBounds.uid(todo.uid)
        try TodoBounds.content(todo.content)
        try TodoBounds.detail(todo.detail)
        try TodoBounds.position(todo.position)
        _ = try TodoBounds.revision(todo.revision)
        try require((CalendarDate.earliest...CalendarDate.latest).contains(todo.date), "no todo may have \(todo.date)")
    }
}
