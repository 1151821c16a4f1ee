import Foundation

/// An event of an event stream.
struct StreamEvent: Sendable, Equatable {
    /// Its type; `message` where it says none.
    var name = "message"
    /// The place to come back to, where it names one.
    var id: String?
    /// Its data, lines joined by line feeds.
    var data: [UInt8] = []
    /// How long to wait before coming back, where it says so.
    var retry: Duration?
}

/// Reads the events of an event stream in whatever pieces it comes: WHATWG HTML, section 9.2.6. No I/O.
///
/// Unlike a browser, it hands over events without data as well where they say when to come back; and it reads no event, and no line, that
/// is longer than any answer may be, so that what is no event stream cannot fill the memory.
struct EventStreamParser {
    static let tooLong = "an event is longer than \(ServerAnswer.mostBytes) bytes"

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private var line: [UInt8] = []
    /// The last byte was a carriage return: a line feed behind it ends no further line.
    private var isAfterReturn = false
    private var event = StreamEvent()
    private var hasData = false
    private var isFirstLine = true
    private let most: Int
    /// Whether there was more of something than is read; nothing follows.
    private(set) var isTooLong = false

    /// - Parameter most: the most bytes of a line, and of an event's data.
    init(most: Int = ServerAnswer.mostBytes) { self.most = most }

    /// The events that are whole now.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            guard !isTooLong else { break }
            if byte == Self.lineFeed && isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == Self.carriageReturn
            guard byte == Self.lineFeed || byte == Self.carriageReturn else {
                line.append(byte)
                if line.count > most { drop() }
                continue
            }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
            if event.data.count > most { drop() }
        }
        return events
    }

    private mutating func drop() { (isTooLong, line, event) = (true, [], StreamEvent()) }

    private mutating func endLine() -> StreamEvent? {
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        guard !line.isEmpty else {
            defer { (event, hasData) = (StreamEvent(), false) }
            return hasData || event.retry != nil ? event : nil
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let name = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch name {
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { event.data.append(Self.lineFeed) }
            event.data += value
            hasData = true
        case "id": if !value.contains(0) { event.id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let milliseconds = Int(String(decoding: value, as: UTF8.self)), milliseconds >= 0 {
                event.retry = .milliseconds(min(milliseconds, 3_600_000))
            }
        default: break
        }
        return nil
    }
}
