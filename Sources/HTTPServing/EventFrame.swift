/// Makes frames of an event stream: the lines of one event, as WHATWG HTML, section 9.2, has them.
public enum EventFrame {
    /// An event with one line of data.
    ///
    /// - Parameters:
    ///   - name: the event's type; a message without one when nil.
    ///   - id: what the reader sends back as `Last-Event-ID` to resume after this event.
    ///   - data: one line, without a line break.
    public static func event(_ name: String? = nil, id: String? = nil, data: some Collection<UInt8>) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(data.count + 64)
        if let id { frame += Array("id: \(id)\n".utf8) }
        if let name { frame += Array("event: \(name)\n".utf8) }
        frame += Array("data: ".utf8)
        frame += data
        frame += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
        return frame
    }

    /// A comment, which readers pass over: it shows that the connection lives.
    public static func comment(_ text: String = "") -> [UInt8] { Array(": \(text)\n\n".utf8) }

    /// Tells the reader how long to wait before it comes back.
    public static func retry(after delay: Duration) -> [UInt8] {
        Array("retry: \(Int(delay / .milliseconds(1)))\n\n".utf8)
    }
}
