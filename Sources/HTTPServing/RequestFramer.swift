/// Takes a request out of the bytes of a connection, and refuses what is not clear: a state machine without I/O.
struct RequestFramer {
    /// What the bytes so far amount to.
    enum Progress: Equatable {
        /// More has to come.
        case more
        /// The request is whole; so many of the last bytes belong to the next one.
        case whole(unread: Int)
    }

    private enum State {
        case head
        case counted(Int)
        case chunked(ChunkFramer)
    }

    private let limits: HTTPLimits
    private var state = State.head
    /// The head's bytes, unless they came in one piece.
    private var headBytes: [UInt8] = []
    private var lines = 0
    private var lineStart = 0
    /// The head, once it has ended.
    private(set) var head: RequestHead?
    /// The body, once the request is whole.
    private(set) var body: [UInt8] = []
    /// Whether the client waits for `100 Continue`; the caller sets it back when that is sent.
    var wantsContinue = false

    init(limits: HTTPLimits) { self.limits = limits }

    /// Takes the next bytes in; none after a request is whole or refused.
    mutating func feed(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Progress {
        var rest = bytes
        while true {
            switch state {
            case .head: guard try takeHead(&rest) else { return .more }
            case .counted(let missing):
                let taken = min(missing, rest.count)
                state = .counted(missing - taken)
                body += rest.prefix(taken)
                return taken < missing ? .more : .whole(unread: rest.count - taken)
            case .chunked(var chunks):
                // The state lets go of the array first, so that it grows in place.
                state = .head
                let isWhole = try chunks.feed(&rest)
                state = .chunked(chunks)
                if isWhole { body = chunks.data }
                return isWhole ? .whole(unread: rest.count) : .more
            }
        }
    }

    /// Whether the head has ended.
    private mutating func takeHead(_ rest: inout ArraySlice<UInt8>) throws(HTTPFault) -> Bool {
        let (start, before) = (rest.startIndex, headBytes.count)
        var last = headBytes.last
        var index = rest.startIndex
        while true {
            // Most bytes are plain, and only their number matters.
            let plain = rest.withUnsafeBufferPointer { bytes in
                let room = max(limits.headerBytes - before - (index - start), 0)
                let unread = bytes[(index - start)...].prefix(room)
                return last == 0x0D ? 0 : UnsafeBufferPointer(rebasing: unread).printablePrefix
            }
            if plain > 0 {
                index += plain
                last = rest[index - 1]
            }
            guard index < rest.endIndex else { break }
            defer { index += 1 }
            let byte = rest[index]
            let (isLineFeed, followsReturn) = (byte == 0x0A, last == 0x0D)
            last = byte
            guard isLineFeed == followsReturn else { throw .malformed("each line must end with CR LF") }
            // Something else than HTTP, such as TLS, shows at once.
            guard lines > 0 || byte == 0x0A || byte == 0x0D || (0x20...0x7E).contains(byte) else {
                throw .malformed("the request line")
            }
            let count = before + index - start + 1
            guard count <= limits.headerBytes else {
                throw lines == 0 ? .targetTooLong : .headersTooLarge(limits.headerBytes)
            }
            guard isLineFeed else { continue }
            if count - lineStart == 2 {
                // Without the empty line. Nearly always all of it is here, and is not copied.
                if headBytes.isEmpty {
                    try endHead(rest[..<(index - 1)])
                } else {
                    headBytes += rest[...index]
                    try endHead(headBytes.dropLast(2))
                }
                rest = rest[(index + 1)...]
                return true
            }
            lines += 1
            lineStart = count
            guard lines - 1 <= limits.headerCount else { throw .tooManyHeaders(limits.headerCount) }
        }
        headBytes += rest
        rest = []
        return false
    }

    private mutating func endHead(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) {
        let parsed = try RequestHead(bytes, limits: limits)
        head = parsed
        headBytes = []
        wantsContinue = parsed.wantsContinue
        switch parsed.body {
        case .counted(let count): state = .counted(count)
        case .chunked: state = .chunked(ChunkFramer(limit: limits.bodyBytes))
        }
    }
}

/// Takes a chunked body out of its chunks (RFC 9112, section 7.1): a state machine without I/O.
///
/// Chunk extensions and trailer fields are refused: they are not in use, and implementations differ in how they read them.
struct ChunkFramer {
    private enum State {
        case size(digits: Int, value: Int)
        case sizeEnd(Int)
        case data(Int)
        /// The bytes that must come next; then another chunk, or the end.
        case breakAfterData(ArraySlice<UInt8>)
        case end(ArraySlice<UInt8>)
    }

    private static let lineBreak: [UInt8] = [0x0D, 0x0A]
    private static let mostDigits = 8

    private let limit: Int
    private var state = State.size(digits: 0, value: 0)
    private var dataBytes = 0
    private var otherBytes = 0
    /// The body so far.
    private(set) var data: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Takes the next bytes away from the front; whether the body has ended.
    mutating func feed(_ rest: inout ArraySlice<UInt8>) throws(HTTPFault) -> Bool {
        while !rest.isEmpty {
            if case .data(let missing) = state {
                let taken = min(missing, rest.count)
                data += rest.prefix(taken)
                rest = rest.dropFirst(taken)
                state = taken == missing ? .breakAfterData(Self.lineBreak[...]) : .data(missing - taken)
                continue
            }
            // Chunks of one byte would let the frame grow far beyond the body.
            otherBytes += 1
            guard otherBytes <= limit + 64 else { throw .bodyTooLarge(limit) }
            if let byte = rest.popFirst(), try take(byte) { return true }
        }
        return false
    }

    private mutating func take(_ byte: UInt8) throws(HTTPFault) -> Bool {
        switch state {
        case .size(let digits, _) where digits == Self.mostDigits && byte != 0x0D: throw .malformed("a chunk's size")
        case .size(let digits, let value):
            if byte == 0x0D, digits > 0 {
                state = .sizeEnd(value)
            } else if let digit = Character(UnicodeScalar(byte)).hexDigitValue {
                state = .size(digits: digits + 1, value: value << 4 | digit)
            } else {
                throw .malformed("a chunk's size")
            }
        case .sizeEnd(let size):
            guard byte == 0x0A else { throw .malformed("a chunk's size") }
            dataBytes += size
            guard dataBytes <= limit else { throw .bodyTooLarge(limit) }
            state = size == 0 ? .end(Self.lineBreak[...]) : .data(size)
        case .breakAfterData(let expected):
            guard byte == expected.first else { throw .malformed("a chunk's end") }
            state = expected.count > 1 ? .breakAfterData(expected.dropFirst()) : .size(digits: 0, value: 0)
        case .end(let expected):
            guard byte == expected.first else { throw .malformed("trailer fields are not taken") }
            state = .end(expected.dropFirst())
            return expected.count == 1
        case .data: break
        }
        return false
    }
}
