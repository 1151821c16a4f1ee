import EventLoop
import TestServers
import Testing

/// A gateway at a port of this machine, and a client that sends it anything.
@LoopActor
protocol HTTPGateway: AnyObject, Sendable {
    var port: Int { get }
    /// Expects that it lives, and ends it.
    func finish() async throws
}

extension HTTPGateway {
    /// Sends a request on a connection of its own and returns the answer.
    func ask(_ line: String, _ fields: String..., body: String? = nil) async throws -> Answer {
        try await ask(line, fields, body: body)
    }

    /// Sends a request on a connection of its own and returns the answer.
    func ask(_ line: String, _ fields: [String], body: String? = nil) async throws -> Answer {
        var lines = ["\(line) HTTP/1.1", "Connection: close"] + fields
        if !fields.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
        if let body { lines += ["Content-Length: \(body.utf8.count)", "Content-Type: application/json"] }
        return try await ask(bytes: lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Sends bytes on a connection of their own and returns what came until it was closed.
    func ask(bytes: String) async throws -> Answer {
        let connection = try RawConnection(port: port)
        connection.send(bytes)
        await connection.waitUntilEnded()
        return Answer(connection.text)
    }

    /// Begins to follow somebody's changes.
    func follow(_ uid: String, _ fields: String..., reads: Bool = true) throws -> RawConnection {
        let connection = try RawConnection(port: port, reads: reads)
        let lines = ["GET /v1/users/\(uid)/changes HTTP/1.1", "Host: h", try GatewayProcess.bearer(uid)] + fields
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return connection
    }
}
