import EventLoop
import Foundation
import TestServers

/// Makes one HTTP request to a loopback port.
@LoopActor
enum HTTPCaller {
    struct Answer {
        var status: Int
        var etag: String?
        var body: [UInt8]
    }

    /// The answer; nil when none came whole, so that nobody knows whether the request was carried out.
    static func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        headers: [String: String] = [:],
        port: Int
    ) async -> Answer? {
        guard let connection = try? TCPConnection(port: port) else { return nil }
        let bytes: [UInt8] = await withUnsafeContinuation { continuation in
            var received: [UInt8] = []
            var isDone = false
            let finish = {
                guard !isDone else { return }
                isDone = true
                connection.close()
                continuation.resume(returning: received)
            }
            connection.onBytes = { received += $0 }
            connection.onEnd = finish
            Task {
                // A worker that is stopped or killed may hold the connection for ever.
                await LoopTimer.sleep(for: .seconds(8))
                finish()
            }
            let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            connection.send(
                ("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8
            )
        }
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        guard let status = head.firstMatch(of: #/^HTTP/1\.1 (\d+) /#).flatMap({ Int($0.1) }) else { return nil }
        let rest = Array(bytes[end.upperBound...])
        let length = head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) }
        guard status == 204 || status == 304 || length == rest.count else { return nil }
        let etag = head.firstMatch(of: /(?i)\r\netag: ([^\r]*)/).map { String($0.1) }
        return Answer(status: status, etag: etag, body: rest)
    }
}
