import EventLoop
import Foundation
import TestServers

/// A connection to an event stream that comes back like a browser, whatever ended it.
@LoopActor
final class EventSource {
    private let target: String
    private let port: Int
    private var random: SeededRandom
    private var connection: TCPConnection?
    private var head: [UInt8] = []
    private var isStream = false
    private var parser = EventStreamParser()
    private var lastID: String?
    private var isStopped = false
    private var isWaiting = false

    /// Called when the server has answered with a stream, with whether it was asked to go on from the last id.
    var onOpen: ((Bool) -> Void)?
    /// Called with each event but heartbeats.
    var onEvent: ((SeenEvent) -> Void)?

    /// - Parameter target: the path and the query of the stream.
    init(_ target: String, port: Int, random: SeededRandom) {
        self.target = target
        self.port = port
        self.random = random
    }

    func connect() {
        guard !isStopped else { return }
        head = []
        isStream = false
        parser = EventStreamParser()
        guard let connection = try? TCPConnection(port: port) else { return ended() }
        self.connection = connection
        connection.onBytes = { [weak self] in self?.received($0) }
        connection.onEnd = { [weak self] in self?.ended() }
        let resume = lastID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(resume)\r\n".utf8)
    }

    func stop() {
        isStopped = true
        connection?.close()
    }

    /// Closes the connection as a page does that is put to sleep; it comes back by itself.
    ///
    /// - Parameter time: how long to stay away; nil for as long as the stream said.
    func drop(for time: Duration? = nil) {
        connection?.close()
        ended(waiting: time)
    }

    private func received(_ bytes: [UInt8]) {
        guard !isStream else { return take(bytes[...]) }
        head += bytes
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        guard head.starts(with: Array("HTTP/1.1 200 ".utf8)) else { return drop() }
        isStream = true
        onOpen?(lastID != nil)
        take(head[end.upperBound...])
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for event in parser.parse(bytes) where event.kind != "heartbeat" { onEvent?(event) }
        lastID = parser.lastID ?? lastID
    }

    private func ended(waiting time: Duration? = nil) {
        connection = nil
        guard !isStopped, !isWaiting else { return }
        isWaiting = true
        let usual = parser.retryMilliseconds ?? Int.random(in: 20...300, using: &random)
        Task {
            await LoopTimer.sleep(for: time ?? .milliseconds(usual))
            isWaiting = false
            connect()
        }
    }
}
