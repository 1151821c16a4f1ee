import HTTPServing

@testable import TodoMateClient

/// What a server, or whoever stands in its place, sends a client as an event stream.
enum EventStreamFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        var parser = EventStreamParser()
        let events = parser.receive(bytes)
        for size in [1, 2, 7] {
            var (pieces, found) = (EventStreamParser(), [StreamEvent]())
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += pieces.receive(bytes[start..<min(start + size, bytes.count)])
            }
            try require(found == events, "in pieces of \(size) bytes: \(found) instead of \(events)")
        }
        for event in events {
            if let retry = event.retry {
                try require((.zero ... .seconds(3600)).contains(retry), "nobody waits for \(retry)")
            }
            // The place is sent back in a field of a request.
            try require(
                event.id?.unicodeScalars.contains { $0.value == 0 || $0 == "\n" || $0 == "\r" } != true,
                "\(event)"
            )
            try readsBack(event)
        }
    }

    /// What can be written as one line is read as it was.
    private static func readsBack(_ event: StreamEvent) throws {
        let isLine = event.data.allSatisfy { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard event.retry == nil, isLine, !event.name.isEmpty else { return }
        var parser = EventStreamParser()
        let again = parser.receive(EventFrame.event(event.name, id: event.id, data: event.data))
        try require(again == [event], "\(event) reads back as \(again)")
    }
}
