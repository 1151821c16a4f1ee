/// A line of text that is being typed, and the cursor in it; keys as in readline.
///
/// Text is kept in two halves around the cursor, so that parts of one character that arrive one after the other (a flag,
/// a family, a letter and its accent) join in front of the cursor as they do in any text.
public struct LineEditor: Equatable, Sendable {
    /// What stands before the cursor.
    public private(set) var before: String
    /// What stands after it.
    public private(set) var after = ""
    /// Most characters (Unicode scalars) of the text; more are not taken.
    public let limit: Int
    /// Whether the text may have several lines; otherwise line breaks become spaces.
    public let isMultiline: Bool

    /// An editor of this text, with the cursor at its end.
    public init(_ text: String = "", limit: Int, isMultiline: Bool = false) {
        before = text
        self.limit = limit
        self.isMultiline = isMultiline
    }

    /// The whole text.
    public var text: String { before + after }

    /// How many more characters (Unicode scalars) there is room for.
    public var room: Int { limit - before.unicodeScalars.count - after.unicodeScalars.count }

    /// Obeys a key.
    ///
    /// - Returns: Whether the key means something here.
    public mutating func press(_ press: KeyPress) -> Bool {
        let byWord = !press.modifiers.isDisjoint(with: [.alt, .control])
        switch (press.key, press.modifiers) {
        case (.paste(let text), _): insert(text)
        case (.enter, .alt) where isMultiline: insert("\n")
        case (.left, _): move(to: byWord ? wordStart : before.dropLast().endIndex)
        case (.right, _): moveForward(byWord ? wordEnd : after.dropFirst().startIndex)
        case (.home, _): move(to: before.startIndex)
        case (.end, _): moveForward(after.endIndex)
        case (.backspace, _): before = String(byWord ? before[..<wordStart] : before.dropLast())
        case (.delete, _): after = String(byWord ? after[wordEnd...] : after.dropFirst())
        case (.character(let character), .control): return control(character)
        case (.character(let character), .alt): return alternate(character)
        case (.character(let character), _): insert(String(character))
        default: return false
        }
        return true
    }

    private mutating func control(_ character: Character) -> Bool {
        switch character {
        case "a": move(to: before.startIndex)
        case "e": moveForward(after.endIndex)
        case "b": move(to: before.dropLast().endIndex)
        case "f": moveForward(after.dropFirst().startIndex)
        case "d": after = String(after.dropFirst())
        case "w": before = String(before[..<wordStart])
        case "u": before = ""
        case "k": after = ""
        default: return false
        }
        return true
    }

    private mutating func alternate(_ character: Character) -> Bool {
        switch character {
        case "b": move(to: wordStart)
        case "f": moveForward(wordEnd)
        case "d": after = String(after[wordEnd...])
        default: return false
        }
        return true
    }

    private mutating func insert(_ text: String) {
        let normal = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        var line = String.UnicodeScalarView()
        for scalar in normal.unicodeScalars.prefix(max(room, 0)) {
            let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            let isBreak = isMultiline && (scalar == "\n" || scalar == "\t")
            line.append(isControl && !isBreak ? " " : scalar)
        }
        before += String(line)
    }

    private mutating func move(to index: String.Index) {
        after = before[index...] + after
        before = String(before[..<index])
    }

    private mutating func moveForward(_ index: String.Index) {
        before += after[..<index]
        after = String(after[index...])
    }

    /// Where the word before the cursor begins.
    private var wordStart: String.Index {
        let word = before.lastIndex { !$0.isWhitespace } ?? before.startIndex
        let space = before[..<word].lastIndex(where: \.isWhitespace)
        return space.map { before.index(after: $0) } ?? before.startIndex
    }

    /// Where the word after the cursor ends.
    private var wordEnd: String.Index {
        let word = after.firstIndex { !$0.isWhitespace } ?? after.endIndex
        return after[word...].firstIndex(where: \.isWhitespace) ?? after.endIndex
    }
}

extension LineEditor {
    /// The part of the text around the cursor that fits into `width` columns, and the cursor's column in it.
    public func window(width: Int) -> (text: String, cursor: Int) {
        let (left, right) = (Self.shown(before), Self.shown(after))
        // The cursor needs a cell of its own behind the text.
        let room = max(width - 1, 0)
        guard left.displayWidth > room else {
            let rest = width - left.displayWidth
            return (
                left + (right.displayWidth <= room - left.displayWidth ? right : right.truncated(toWidth: rest)),
                left.displayWidth
            )
        }
        var used = 1
        let tail = left.reversed().prefix { character in
            used += character.displayWidth
            return used <= room
        }
        let text = "…" + String(tail.reversed())
        return (text + right.truncated(toWidth: width - text.displayWidth), text.displayWidth)
    }

    /// Line breaks have a sign of their own here; other characters that a terminal would obey are replaced.
    private static func shown(_ text: String) -> String { text.replacing("\n", with: "↵").sanitized() }
}
