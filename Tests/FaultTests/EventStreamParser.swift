/// One event as it came.
struct SeenEvent: Equatable {
    var kind: String
    var id: String?
    var data: String
}

/// Takes an event stream apart as browsers do (WHATWG HTML, section 9.2.6), as far as this service uses it.
struct EventStreamParser {
    private var line: [UInt8] = []
    private var event = SeenEvent(kind: "message", id: nil, data: "")
    private(set) var lastID: String?
    /// What the server asked to wait before coming back.
    private(set) var retryMilliseconds: Int?

    /// Returns the events that these bytes complete.
    mutating func parse(_ bytes: some Sequence<UInt8>) -> [SeenEvent] {
        var events: [SeenEvent] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            if text.isEmpty {
                if !event.data.isEmpty {
                    if let id = event.id { lastID = id }
                    events.append(event)
                }
                event = SeenEvent(kind: "message", id: nil, data: "")
            } else {
                take(text)
            }
        }
        return events
    }

    private mutating func take(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].first == " " ? parts[1].dropFirst() : parts[1]) : ""
        switch parts[0] {
        case "event": event.kind = value
        case "data": event.data = value
        case "id": event.id = value
        case "retry": retryMilliseconds = Int(value)
        default: break
        }
    }
}
