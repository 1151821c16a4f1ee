import CommandArguments
import Foundation
import TodoMate

/// A line of what `todomate add` adds.
struct AddedLine {
    /// The most of them at once, as in the page and the terminal's board.
    static let most = NewTodos.most

    /// What to do.
    let content: String
    /// What it says besides; nil where it is added as it is.
    let read: QuickLine?

    init(_ text: String, read: QuickLine?) {
        content = read?.content ?? text
        self.read = read
    }

    /// The lines of a text that have something in them.
    ///
    /// - Throws: ``CommandError`` where there is none, where there are too many, and where one is no content of a todo.
    static func texts(_ text: String) throws -> [String] {
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
        let texts = lines.count > 1 ? lines.filter { !$0.allSatisfy(\.isWhitespace) } : lines
        guard texts.count <= most else {
            throw CommandError(
                "at most \(most) lines are added at once, not \(texts.count): split them",
                exitCode: .dataError
            )
        }
        // An empty text is refused as the content that it is.
        for (index, each) in (texts.isEmpty ? [""] : texts).enumerated() {
            do throws(TodoError) {
                _ = try TodoBounds.content(each)
            } catch {
                throw CommandError(describing: error, of: texts.count > 1 ? index + 1 : nil)
            }
        }
        return texts
    }

    /// All of the standard input, as far as so many lines may be long.
    static func standardInput() throws -> String {
        let mostBytes = most * (4 * TodoBounds.contentLength + 2)
        let data = try FileHandle.standardInput.read(upToCount: mostBytes + 1) ?? Data()
        guard data.count <= mostBytes, let text = String(validating: data, as: UTF8.self) else {
            throw CommandError(
                "the standard input must be UTF-8, at most \(most) lines of \(TodoBounds.contentLength) characters",
                exitCode: .dataError
            )
        }
        return text
    }
}

extension CommandError {
    /// An error of one line among several.
    fileprivate init(describing error: TodoError, of line: Int?) {
        self.init(describing: error)
        if let line { self = CommandError("line \(line): \(self)", exitCode: exitCode) }
    }
}

extension ValueParser where Value == String {
    /// What to do, a line each, or a dash for the standard input.
    static var contentLines: Self {
        var parser = Self { text in
            if text != "-" { _ = try AddedLine.texts(text) }
            return text
        }
        parser.allowsEmpty = true
        return parser
    }
}
