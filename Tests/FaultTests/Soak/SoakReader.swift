import EventLoop
import TestServers
import TodoMate

/// Reads one stream of a worker, and keeps no more of it than it takes to see that nothing is missing or repeated.
@LoopActor
final class SoakReader {
    let uid: String
    let worker: Int
    /// The day it asks for; nil for all.
    let day: String?
    /// The last change that it was told of, or came back with.
    private(set) var last: ChangeID?
    private(set) var changes = 0
    private(set) var snapshots = 0
    private(set) var objections: [String] = []
    private var connection: TCPConnection?
    private var head: [UInt8]? = []
    private var parser = EventStreamParser()

    init(uid: String, worker: Int, day: String? = nil, after last: ChangeID? = nil) {
        (self.uid, self.worker, self.day, self.last) = (uid, worker, day, last)
    }

    func open(port: Int) throws {
        let connection = try TCPConnection(port: port)
        self.connection = connection
        connection.onBytes = { [weak self] in self?.received($0) }
        connection.onEnd = { [weak self] in self?.object("its stream ended") }
        let query = day.map { "?date=\($0)" } ?? ""
        let resume = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        connection.send("GET /v1/users/\(uid)/changes\(query) HTTP/1.1\r\nHost: localhost\r\n\(resume)\r\n".utf8)
    }

    func close() {
        connection?.close()
        connection = nil
    }

    /// Whether the server has answered with a stream.
    var isOpen: Bool { head == nil }

    private func object(_ what: String) { objections.append("a reader of \(uid) on worker \(worker + 1): \(what)") }

    private func received(_ bytes: [UInt8]) {
        guard var head else { return take(bytes[...]) }
        head += bytes
        self.head = head
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        guard head.starts(with: Array("HTTP/1.1 200 ".utf8)) else {
            return object("answered with \(String(decoding: head.prefix(12), as: UTF8.self))")
        }
        self.head = nil
        take(head[end.upperBound...])
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        for event in parser.parse(bytes) where event.kind != "heartbeat" {
            guard let id = event.id.flatMap({ ChangeID($0) }) else {
                object("an event without an id")
                continue
            }
            if event.kind == "snapshot" {
                snapshots += 1
            } else {
                changes += 1
                let isNext = id.version == (last?.version ?? -1) + 1 || day != nil && id.version > last?.version ?? -1
                if !isNext { object("\(id) came after \(last.map(\.description) ?? "nothing")") }
                if !event.data.contains("\"uid\":\"\(uid)\"") { object("was told of somebody else: \(event.data)") }
            }
            last = id
        }
    }
}
