import Foundation

/// What a server says of itself with a heartbeat.
enum StreamHeartbeat: Sendable, Equatable {
    /// Changes come as they happen.
    case inTouch
    /// They do not: what the server serves does not answer it.
    case outOfTouch

    /// Nil for an event of another kind; servers of an older version say nothing more than that they live.
    init?(_ event: StreamEvent) {
        guard event.name == "heartbeat" else { return nil }
        let said = try? JSONDecoder().decode(Said.self, from: Data(event.data))
        self = said?.live == false ? .outOfTouch : .inTouch
    }

    private struct Said: Decodable {
        var live: Bool?
    }
}
