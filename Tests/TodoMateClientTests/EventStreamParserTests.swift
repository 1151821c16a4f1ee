import Testing

@testable import TodoMateClient

@Suite("Reading an event stream")
struct EventStreamParserTests {
    private static let stream =
        "\u{FEFF}: hello\n\nid: 1\nevent: added\ndata: {\"a\":\"한\"}\n\nretry: 1500\n\n"
        + "data:x\r\ndata: y\r\n\r\nevent: lonely\n\nid: 7\rdata\r\rid: \u{0}\ndata:  z\nother: w\n\nevent: cut\ndata: 1"

    private static let events = [
        StreamEvent(name: "added", id: "1", data: Array(#"{"a":"한"}"#.utf8)),
        StreamEvent(retry: .milliseconds(1500)),
        StreamEvent(data: Array("x\ny".utf8)),
        StreamEvent(id: "7"),
        StreamEvent(data: Array(" z".utf8)),
    ]

    @Test("finds the same events however they are cut", arguments: 1...40)
    func pieces(_ size: Int) {
        var (parser, events) = (EventStreamParser(), [StreamEvent]())
        let bytes = Array(Self.stream.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += parser.receive(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events == Self.events)
    }

    @Test("takes no time to wait that is no number", arguments: ["", "-1", "1s", "99999999999999999999", "١"])
    func retry(_ text: String) {
        var parser = EventStreamParser()
        #expect(parser.receive(Array("retry: \(text)\n\n".utf8)) == [])
    }

    @Test("waits an hour at most")
    func longRetry() {
        var parser = EventStreamParser()
        #expect(parser.receive(Array("retry: 999999999999\n\n".utf8)).first?.retry == .seconds(3600))
    }

    @Test("reads no more of a line, or of an event, than it was told to, and nothing behind it")
    func bounds() {
        let lines = ["<h1>" + String(repeating: "x", count: 40), String(repeating: "data: 123456\n", count: 4)]
        for line in lines {
            var parser = EventStreamParser(most: 20)
            #expect(parser.receive(Array("data: 1\n\n".utf8)).count == 1)
            let events = parser.receive(Array((line + "\n\ndata: 2\n\n").utf8))
            #expect(events.isEmpty && parser.isTooLong)
            #expect(parser.receive(Array("data: 3\n\n".utf8)).isEmpty)
        }
        var parser = EventStreamParser(most: 20)
        #expect(parser.receive(Array("data: 12345678901234\ndata: 12345\n\n".utf8)).count == 1 && !parser.isTooLong)
    }
}
