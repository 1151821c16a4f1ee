import EventLoop
import Foundation
import TestServers

/// Reads one user's event stream and comes back like a browser, whatever ended it; keeps all that it saw.
@LoopActor
final class StreamClient {
    /// What it was told, in order.
    struct Record {
        var uid: String
        /// The day it asked for; nil for all.
        var day: String?
        var events: [SeenEvent] = []
        /// How often a connection was opened that the server answered with a stream.
        var connects = 0
        /// How often such a connection went on from the last id, without a snapshot.
        var resumes = 0
        /// How often it was told to start over, or to start.
        var snapshots = 0
    }

    private let port: Int
    private var random: SeededRandom
    private var connection: TCPConnection?
    private var head: [UInt8] = []
    private var isStream = false
    /// Whether nothing has come yet over this connection, which may yet turn out to begin anew.
    private var awaitsFirst = false
    private var parser = EventStreamParser()
    private var lastID: String?
    private var isStopped = false
    private var isWaiting = false

    private(set) var record: Record
    /// What its page would show.
    private(set) var view = StreamView()

    init(uid: String, day: String?, port: Int, random: SeededRandom) {
        record = Record(uid: uid, day: day)
        self.port = port
        self.random = random
    }

    func start() { connect() }

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

    private func connect() {
        guard !isStopped else { return }
        head = []
        isStream = false
        parser = EventStreamParser()
        guard let connection = try? TCPConnection(port: port) else { return ended() }
        self.connection = connection
        connection.onBytes = { [weak self] in self?.received($0) }
        connection.onEnd = { [weak self] in self?.ended() }
        let query = record.day.map { "?date=\($0)" } ?? ""
        let resume = lastID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let target = "/v1/users/\(record.uid)/changes\(query)"
        connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(resume)\r\n".utf8)
    }

    private func received(_ bytes: [UInt8]) {
        guard !isStream else { return take(bytes[...]) }
        head += bytes
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        guard head.starts(with: Array("HTTP/1.1 200 ".utf8)) else { return drop() }
        isStream = true
        record.connects += 1
        awaitsFirst = true
        if lastID != nil { record.resumes += 1 }
        take(head[end.upperBound...])
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for event in parser.parse(bytes) where event.kind != "heartbeat" {
            record.events.append(event)
            if event.kind == "snapshot" {
                record.snapshots += 1
                if awaitsFirst, lastID != nil { record.resumes -= 1 }
            }
            awaitsFirst = false
            view.apply(event)
        }
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
