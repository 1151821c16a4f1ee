/// Makes keys of the bytes that a terminal sends, however they are cut into pieces.
///
/// It knows UTF-8, the control characters, ECMA-48 and xterm key sequences, and bracketed paste. What it does not know, such as
/// a terminal's answers and reports, is passed over as a whole, so that no part of it is ever taken for typed text.
struct KeyDecoder {
    private enum Step {
        /// This many bytes are a key, or nothing that matters.
        case took(Int, KeyPress?)
        /// More bytes are needed to decide.
        case needsMore
    }

    /// A sequence that is longer than this has no end.
    private static let longestSequence = 64
    /// Strings from the terminal, such as its answer to a question for its name.
    private static let longestString = 4096
    /// More than this of a paste is not kept: nothing here takes as much.
    private static let longestPaste = 1 << 16

    private var pending: [UInt8] = []
    private var paste: [UInt8]?

    /// Whether an escape character waits for what follows it. After a short while nothing will: then `flush()`.
    var isWaiting: Bool {
        paste == nil && pending.first == 0x1B && pending.count <= 2 && pending.allSatisfy { $0 < 0x80 }
    }

    /// The keys that are complete with these bytes.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [KeyPress] {
        pending += bytes
        var keys: [KeyPress] = []
        while !pending.isEmpty {
            guard case .took(let count, let key) = paste == nil ? step(pending[...]) : pasteStep() else { break }
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Takes what waits for itself: the Escape key, or a key held with Alt.
    mutating func flush() -> [KeyPress] {
        guard isWaiting else { return [] }
        let bytes = pending
        pending = []
        guard bytes.count == 2 else { return [KeyPress(.escape)] }
        return [.character(Character(Unicode.Scalar(bytes[1])), .alt)]
    }

    private mutating func step(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let first = bytes.first else { return .needsMore }
        switch first {
        case 0x1B: return escapeStep(bytes)
        case 0x0A, 0x0D: return .took(1, KeyPress(.enter))
        case 0x09: return .took(1, KeyPress(.tab))
        case 0x08, 0x7F: return .took(1, KeyPress(.backspace))
        case 0x01...0x1A: return .took(1, .character(Character(Unicode.Scalar(first + 0x60)), .control))
        case ..<0x20: return .took(1, nil)
        default: return characterStep(bytes)
        }
    }

    private func characterStep(_ bytes: ArraySlice<UInt8>) -> Step {
        let length =
            switch bytes[bytes.startIndex] {
            case ..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let parts = bytes.prefix(length)
        let isCut = parts.count < length && parts.dropFirst().allSatisfy { 0x80...0xBF ~= $0 }
        if isCut { return .needsMore }
        guard length > 0, let text = String(validating: parts, as: UTF8.self), let character = text.first else {
            return .took(1, .character("\u{FFFD}"))
        }
        return .took(length, .character(character))
    }

    private mutating func escapeStep(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let second = bytes.dropFirst().first else { return .needsMore }
        switch second {
        case 0x1B: return .took(1, KeyPress(.escape))
        case UInt8(ascii: "["): return controlSequenceStep(bytes)
        case UInt8(ascii: "O"):
            guard let third = bytes.dropFirst(2).first else { return .needsMore }
            let key = third == UInt8(ascii: "M") ? .enter : Self.cursorKey(third)
            return .took(3, key.map { KeyPress($0) })
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            return stringStep(bytes)
        default:
            // Held with Alt.
            guard case .took(let count, var key) = step(bytes.dropFirst()) else { return .needsMore }
            key?.modifiers.insert(.alt)
            return .took(count + 1, key)
        }
    }

    /// `ESC [ parameters final`.
    private mutating func controlSequenceStep(_ bytes: ArraySlice<UInt8>) -> Step {
        let body = bytes.dropFirst(2)
        // The Linux console's function keys.
        if body.first == UInt8(ascii: "[") { return body.count < 2 ? .needsMore : .took(4, nil) }
        guard let end = body.firstIndex(where: { !(0x20...0x3F ~= $0) }) else {
            return bytes.count < Self.longestSequence ? .needsMore : .took(bytes.count, nil)
        }
        let length = end - bytes.startIndex + 1
        // Something else began in its middle.
        guard 0x40...0x7E ~= bytes[end] else { return .took(length - 1, nil) }
        let numbers = body[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        let first = numbers.first ?? nil
        if bytes[end] == UInt8(ascii: "~"), first == 200 {
            paste = []
            return .took(length, nil)
        }
        let isBackTab = bytes[end] == UInt8(ascii: "Z")
        let key = bytes[end] == UInt8(ascii: "~") ? Self.numberedKey(first) : Self.cursorKey(bytes[end])
        guard let key = isBackTab ? .tab : key else { return .took(length, nil) }
        // xterm sends 1 + the sum of the modifiers.
        let held = numbers.count > 1 ? max((numbers[1] ?? 1) - 1, 0) & 7 : 0
        return .took(length, KeyPress(key, isBackTab ? .shift : KeyPress.Modifiers(rawValue: held)))
    }

    private static func cursorKey(_ final: UInt8) -> KeyPress.Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: nil
        }
    }

    private static func numberedKey(_ number: Int?) -> KeyPress.Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// `ESC ] … BEL` or `ESC ] … ESC \`, and its relatives: a terminal's answers.
    private func stringStep(_ bytes: ArraySlice<UInt8>) -> Step {
        let body = bytes.dropFirst(2)
        if let bell = body.firstIndex(of: 0x07) { return .took(bell - bytes.startIndex + 1, nil) }
        if let end = body.firstRange(of: [0x1B, 0x5C]) { return .took(end.upperBound - bytes.startIndex, nil) }
        return bytes.count < Self.longestString ? .needsMore : .took(bytes.count, nil)
    }

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private mutating func pasteStep() -> Step {
        let end = pending.firstRange(of: Self.pasteEnd)
        // The last bytes may be the beginning of the end.
        let text = pending[..<(end?.lowerBound ?? max(pending.count - Self.pasteEnd.count + 1, 0))]
        let room = Self.longestPaste - (paste?.count ?? 0)
        paste?.append(contentsOf: text.prefix(max(room, 0)))
        guard let end else {
            pending.removeFirst(text.count)
            return .needsMore
        }
        defer { paste = nil }
        return .took(end.upperBound, KeyPress(.paste(String(decoding: paste ?? [], as: UTF8.self))))
    }
}
