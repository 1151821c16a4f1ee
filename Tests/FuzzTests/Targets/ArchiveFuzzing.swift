import Foundation

@testable import TodoMate

/// Lines of a file that somebody imports.
enum ArchiveFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        if let line = try? ArchiveLine(bytes) {
            try require((try? TodoBounds.uid(line.uid)) != nil, "nobody can be '\(line.uid)'")
            try require(bytes.count <= ArchiveLine.longest, "\(bytes.count) bytes are too long")
            if case .profile(let uid, let fields) = line {
                let again = try ArchiveLine(Array(ArchiveLine.text(ofProfile: fields, of: uid).utf8))
                try require(again == line, "\(line) reads back as \(again)")
            } else if case .link(let link) = line {
                let again = try ArchiveLine(Array(ArchiveLine.text(of: link).utf8))
                try require(again == line, "\(line) reads back as \(again)")
            } else {
                let stored = try require(StoredTodo(bytes, id: nil, uid: line.uid), "a line that is no todo was taken")
                try MessageFuzzing.obeysBounds(stored.todo)
                // What an export writes, an import takes.
                guard stored.todo.revision > 0 else { return }
                let again = try ArchiveLine(stored.json)
                try require(again == line, "\(line) reads back as \(again)")
            }
        }
        guard let stored = StoredTodo(bytes, id: nil, uid: "alice") else { return }
        let again = try require(StoredTodo(stored.json, id: stored.todo.id, uid: "alice"), "a todo does not read back")
        try require(again.todo == stored.todo && again.json == stored.json, "\(stored) reads back as \(again)")
    }
}
