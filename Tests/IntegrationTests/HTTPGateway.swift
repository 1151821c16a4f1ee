import EventLoop
import TestServers
import Testing
import TodoMate

/// A gateway at a port of this machine, and a client that sends it anything.
@LoopActor
protocol HTTPGateway: AnyObject, Sendable {
    var port: Int { get }
    /// The Redis that it keeps everything in; nil where that is this process.
    var redis: (any TestRedis)? { get }
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

    /// Adds a todo as its owner.
    func add(
        _ uid: String,
        _ content: String,
        id: String,
        visibility: Visibility = .followers,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fields = #""content":"\#(content)","date":"2026-11-20","visibility":"\#(visibility.rawValue)""#
        try await write("POST /v1/users/\(uid)/todos", as: uid, "{\"id\":\"\(id)\",\(fields)}", sourceLocation)
    }

    /// Writes what is not refused.
    func write(
        _ line: String,
        as uid: String,
        _ body: String? = nil,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await ask(line, as: uid, body: body)
        try #require(
            [200, 201, 204].contains(answer.status),
            "\(line): \(answer.text)",
            sourceLocation: sourceLocation
        )
    }

    /// The id of the latest change of somebody, as the ETag of their own list names it.
    func latest(of uid: String) async throws -> ChangeID {
        let tag = try await ask("GET /v1/users/\(uid)/todos", as: uid).fields("ETag").first
        return try #require(tag?.firstMatch(of: /\d+-\d+/).flatMap { ChangeID(String($0.output)) })
    }

    /// Begins to follow somebody's changes.
    func follow(_ uid: String, _ fields: String..., reads: Bool = true) throws -> RawConnection {
        let connection = try RawConnection(port: port, reads: reads)
        let lines = ["GET /v1/users/\(uid)/changes HTTP/1.1", "Host: h", try GatewayProcess.bearer(uid)] + fields
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return connection
    }
}
