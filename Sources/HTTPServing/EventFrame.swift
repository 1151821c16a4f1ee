/// Makes frames of an event stream: the lines of one event, as WHATWG HTML, section 9.2, has them.
public enum EventFrame {
    /// An event with one line of data.
    ///
    /// - Parameters:
    ///   - name: the event's type; a message without one when nil.
    ///   - id: what the reader sends back as `Last-Event-ID` to resume after this event.
    ///   - data: one line, without a line break.
    public static func event(_ name: String? = nil, id: String? = nil, data: [UInt8]) -> [UInt8] {
        // The line of an id has 5 bytes besides it, that of a name 8, that of the data and the empty one 8.
        let count = (id.map { $0.utf8.count + 5 } ?? 0) + (name.map { $0.utf8.count + 8 } ?? 0) + data.count + 8
        return ByteWriter.bytes(count: count) { frame in
            if let id {
                frame.add("id: ")
                frame.add(id)
                frame.add("\n")
            }
            if let name {
                frame.add("event: ")
                frame.add(name)
                frame.add("\n")
            }
            frame.add("data: ")
            frame.add(data)
            frame.add("\n\n")
        }
    }

    /// A comment, which readers pass over: it shows that the connection lives.
    public static func comment(_ text: String = "") -> [UInt8] { Array(": \(text)\n\n".utf8) }

    /// Tells the reader how long to wait before it comes back.
    public static func retry(after delay: Duration) -> [UInt8] {
        Array("retry: \(Int(delay / .milliseconds(1)))\n\n".utf8)
    }
}
