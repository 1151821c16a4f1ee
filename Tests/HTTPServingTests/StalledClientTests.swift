import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

/// Whether somebody may go on, and how often that was asked.
@LoopActor
private final class Permission {
    var isGiven = true
    private(set) var asked = 0
    nonisolated init() {}

    func ask() async -> Bool {
        asked += 1
        await LoopActor.giveWay()
        return isGiven
    }
}

/// How much of a long answer was made.
@LoopActor
private final class Making {
    var bytes = 0
    nonisolated init() {}
}

@Suite("A client that takes nothing")
@LoopActor
struct StalledClientTests {
    /// What is not sent, and the last piece that was taken while less was waiting.
    private static let mostBytes = 256 * 1024
    /// As parts of archives are.
    private static let partBytes = 64 * 1024
    private static let megabytes = [UInt8](repeating: 0x78, count: 8 << 20)

    /// Runs `body` with a server on a free port and a client that does not read, whose answer or stream waits for it.
    private func withStalledClient(
        _ limits: HTTPLimits = HTTPLimits(),
        permission: Permission = Permission(),
        making: Making = Making(),
        at path: String,
        _ body: @LoopActor (HTTPServer, Int, RawConnection) async throws -> Void
    ) async throws {
        let router = HTTPRouter()
        let turns = FairTurns(parallel: 1, most: 1, mostOfOne: 1)
        router.on(.get, "/answer") { _, _ in
            var response = HTTPResponse(status: 200, body: Self.megabytes)
            let turn = try #require(await turns.turn(for: "alice"))
            response.turn = AnswerTurn(turn) { await permission.ask() }
            return .response(response)
        }
        router.on(.get, "/stream") { _, _ in .stream { $0.send(Self.megabytes) } }
        router.on(.get, "/stream-in-parts") { _, _ in .stream { $0.send(Array(Self.megabytes.prefix(Self.partBytes))) }
        }
        router.on(.get, "/download") { _, _ in
            .download(headers: [:]) { download in
                let part = Self.megabytes.prefix(Self.partBytes)
                while making.bytes < Self.megabytes.count {
                    making.bytes += part.count
                    guard await download.send(Array(part)) else { return }
                }
                await download.finish()
            }
        }
        let server = HTTPServer(router, limits: limits)
        let port = try server.listen(host: "127.0.0.1", port: 0)
        defer { server.close() }
        let client = try RawConnection(port: port, reads: false)
        client.send(get(path))
        try await eventually("bytes wait for it") { KernelQueue.bytes(port: port)?.contains { $0 > 0 } ?? true }
        try await body(server, port, client)
        client.close()
    }

    /// Waits until the kernel keeps nothing for a port's clients, and looks at what came to one of them.
    private func expectNothingMore(_ port: Int, _ client: RawConnection) async throws {
        try await eventually("nothing is kept") { KernelQueue.bytes(port: port)?.isEmpty ?? true }
        client.startReading()
        try await eventually("its end has come") { client.isEnded }
        #expect(client.isReset && client.receivedBytes < 64 * 1024, "what had come to its own side already")
    }

    @Test("has the kernel keep little for it, and gets the rest when it reads", arguments: ["/answer", "/stream"])
    func kernel(path: String) async throws {
        try await withStalledClient(at: path) { server, port, client in
            var last: [Int]? = []
            try await eventually("the kernel takes no more") {
                defer { last = KernelQueue.bytes(port: port) }
                return last == KernelQueue.bytes(port: port)
            }
            #expect(try #require(last).allSatisfy { $0 < Self.mostBytes }, "\(last ?? [])")
            client.startReading()
            try await eventually("all has come", within: .seconds(60)) { client.receivedBytes > Self.megabytes.count }
        }
    }

    @Test("has no more made of a long answer than it takes")
    func making() async throws {
        let making = Making()
        try await withStalledClient(making: making, at: "/download") { server, port, client in
            var last = -1
            try await eventually("no more is made") {
                defer { last = making.bytes }
                return last == making.bytes
            }
            // What the kernel keeps for either side, and the one part that waits.
            #expect(making.bytes <= 2 * Self.mostBytes + Self.partBytes, "\(making.bytes) of \(Self.megabytes.count)")
            client.startReading()
            try await eventually("all has come", within: .seconds(60)) { client.receivedBytes > Self.megabytes.count }
        }
    }

    @Test("is given nothing more once it may not go on with its answer")
    func permission() async throws {
        let permission = Permission()
        try await withStalledClient(permission: permission, at: "/answer") { server, port, client in
            try await eventually("it is asked again and again") { permission.asked > 1 }
            #expect(server.connectionCount == 1)
            permission.isGiven = false
            try await expectNothingMore(port, client)
            #expect(server.connectionCount == 0)
        }
    }

    @Test("and could go on is not asked about once it has taken all")
    func taken() async throws {
        let permission = Permission()
        try await withStalledClient(permission: permission, at: "/answer") { server, _, client in
            client.startReading()
            try await eventually("all has come", within: .seconds(60)) { client.receivedBytes > Self.megabytes.count }
            permission.isGiven = false
            let asked = permission.asked
            // It is asked four times a second.
            await LoopTimer.sleep(for: .milliseconds(600))
            #expect(permission.asked <= asked + 1 && server.connectionCount == 1)
        }
    }

    @Test("is given nothing more of a stream that is closed at once")
    func stream() async throws {
        try await withStalledClient(at: "/stream") { server, port, client in
            for stream in server.openStreams {
                #expect(stream.isBehind)
                stream.closeNow()
            }
            try await expectNothingMore(port, client)
        }
    }

    @Test("is given nothing more of a stream that is closed at once, though all of it has left the process")
    func streamInTheKernel() async throws {
        try await withStalledClient(at: "/stream-in-parts") { server, port, client in
            // What was sent and not acknowledged soon is what the client's side has no room for.
            var (kept, since) = (0, ContinuousClock.now)
            try await eventually("the kernel keeps some of it") {
                guard let bytes = KernelQueue.bytes(port: port)?.first else { return true }
                if bytes != kept { (kept, since) = (bytes, .now) }
                if bytes == 0 { for stream in server.openStreams { stream.send(Array(Self.megabytes.prefix(4096))) } }
                return bytes > 0 && since.duration(to: .now) > .milliseconds(300)
            }
            for stream in server.openStreams {
                #expect(!stream.isBehind)
                stream.closeNow()
            }
            try await eventually("nothing is kept") { KernelQueue.bytes(port: port)?.isEmpty ?? true }
            client.startReading()
            try await eventually("its end has come") { client.isEnded }
            #expect(client.isReset)
        }
    }

    @Test("is given nothing more of an answer that has taken too long")
    func late() async throws {
        var limits = HTTPLimits()
        limits.answerTime = .seconds(1)
        try await withStalledClient(limits, at: "/answer") { _, port, client in
            try await expectNothingMore(port, client)
        }
    }
}
