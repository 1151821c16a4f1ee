import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMateGateway

/// A `todomate worker` that serves HTTP with a secret, and a client that sends it anything.
@LoopActor
final class GatewayProcess: HTTPGateway {
    /// Stands in todos and passwords of these tests, and must never be in a log.
    nonisolated static let unutterable = "unutterable"
    nonisolated static let secret = "integration-tests-sign-with-this-secret"

    let port: Int
    let program: RunningProgram
    private let server: any TestRedis
    var redis: (any TestRedis)? { server }

    init(on server: any TestRedis, port: Int, _ options: [String] = [], limitedBy shell: String? = nil) async throws {
        self.port = port
        self.server = server
        // Most tests ask as fast as they can.
        let rate = options.contains("--write-rate") ? [] : ["--write-rate", "0"]
        let words = ["worker", "--redis", server.address, "--listen", "127.0.0.1:\(port)"] + rate + options
        let environment = ["TODOMATE_SECRET": Self.secret]
        if let shell {
            let path = Program.builtPrograms.path + "/todomate"
            let script = ["-c", "\(shell); exec \"$0\" \"$@\"", path] + words
            program = try RunningProgram("sh", script, environment: environment)
        } else {
            program = try RunningProgram("todomate", words, environment: environment)
        }
        let program = program
        try await eventually("the worker is ready") { program.errors.contains("message=ready") }
    }

    /// A token as the gateway itself gives it, of a session that this Redis knows.
    nonisolated static func token(_ uid: String, lasting seconds: TimeInterval = 3600) throws -> String {
        let signer = try #require(TokenSigner(secret: secret))
        let (generation, id) = (TestSession.begin(uid), TestSession.id(of: uid))
        return signer.sign(SessionToken(uid: uid, expiry: Date() + seconds, id: id, generation: generation))
    }

    /// The field that carries somebody's token.
    nonisolated static func bearer(_ uid: String) throws -> String { "Authorization: Bearer \(try token(uid))" }

    /// Expects that it lives, that it has told nobody's secrets to its log, and that it ends as it should.
    func finish() async throws {
        let health = try await ask("GET /healthz")
        #expect(health.status == 200, "the worker still answers")
        let ending = await program.stop()
        #expect(ending == .exit(0))
        let log = program.errors
        // Each token begins with the same header.
        for word in [Self.unutterable, Self.secret, "eyJ"] { #expect(!log.contains(word), "the log tells '\(word)'") }
    }
}

/// An answer, taken apart.
struct Answer: Sendable {
    let text: String
    let status: Int?
    let body: String

    init(_ text: String) {
        self.text = text
        status = text.prefixMatch(of: #/HTTP/1\.[01] (\d{3}) /#).flatMap { Int($0.1) }
        body = text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    /// The values of the fields of this name.
    func fields(_ name: String) -> [String] {
        text.prefix(text.count - body.count).split(separator: "\r\n").compactMap { line in
            line.lowercased().hasPrefix(name.lowercased() + ": ") ? String(line.dropFirst(name.count + 2)) : nil
        }
    }

    var isProblem: Bool {
        fields("Content-Type") == ["application/problem+json"] && body.hasPrefix("{\"type\":\"urn:todomate:problem:")
    }
}

/// Runs `body` with a worker that serves HTTP, and looks at it afterwards.
@LoopActor
func withGateway(
    _ options: String...,
    body: @LoopActor (RedisServer, GatewayProcess) async throws -> Void
) async throws {
    try await withGateway(options, body: body)
}

/// Runs `body` with a worker that serves HTTP, and looks at it afterwards.
@LoopActor
func withGateway(
    _ options: [String],
    body: @LoopActor (RedisServer, GatewayProcess) async throws -> Void
) async throws {
    try await withRedis { server in
        try await withGateway(on: server, options) { try await body(server, $0) }
    }
}

/// Runs `body` with a worker on a Redis of some kind that serves HTTP, and looks at it afterwards.
@LoopActor
func withGateway(
    on kind: RedisKind,
    _ options: String...,
    body: @LoopActor (any TestRedis, GatewayProcess) async throws -> Void
) async throws {
    try await withRedis(on: kind) { server in
        try await withGateway(on: server, options) { try await body(server, $0) }
    }
}

/// Runs `body` with a worker on a Redis that serves HTTP, and looks at it afterwards.
@LoopActor
func withGateway(
    on server: any TestRedis,
    _ options: [String] = [],
    body: @LoopActor (GatewayProcess) async throws -> Void
) async throws {
    let gateway = try await GatewayProcess(on: server, port: freePort(), options)
    do {
        try await body(gateway)
    } catch {
        await gateway.program.stop()
        throw error
    }
    try await gateway.finish()
}
