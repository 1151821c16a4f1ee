import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
    /// Nothing here asks Redis for more than one list: it is about the sockets of one process.
    @Suite("A worker attacked with more connections than it may have")
    @LoopActor
    struct DescriptorTests {
        @Test("turns away those beyond --max-connections, idle ones counted")
        func most() async throws {
            try await withGateway("--max-connections", "4") { _, gateway in
                let connections = try (0..<12).map { _ in try RawConnection(port: gateway.port) }
                try await eventually("eight are turned away") { connections.count(where: \.isEnded) == 8 }
                for connection in connections where connection.isEnded {
                    #expect(connection.statuses == [503] && Answer(connection.text).isProblem)
                }
                for connection in connections { connection.close() }
                try await eventually("there is room") { try await gateway.ask("GET /healthz").status == 200 }
            }
        }

        #if os(Linux)
            /// The processor time that a process has used, in clock ticks.
            private func ticks(_ pid: Int32) throws -> Int {
                let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
                let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
                return fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
            }
        #endif

        @Test("turns away those for which it has no descriptors")
        func few() async throws {
            try await withRedis { server in
                let gateway = try await GatewayProcess(on: server, port: freePort(), limitedBy: "ulimit -n 64")
                var connections: [RawConnection] = []
                for _ in 0..<300 { connections.append(try RawConnection(port: gateway.port)) }
                try await eventually("most are turned away") { connections.count(where: \.isEnded) > 200 }
                for connection in connections { connection.close() }
                try await eventually("it serves again") { try await gateway.ask("GET /healthz").status == 200 }
                try await gateway.finish()
            }
        }

        #if os(Linux)
            @Test("waits without work when no descriptor is left, and recovers")
            func none() async throws {
                try await withGateway { _, gateway in
                    let pid = await gateway.program.pid
                    let limited = try await Program.run("prlimit", ["--pid", "\(pid)", "--nofile=40:40"])
                    #expect(limited.ending == .exit(0))
                    var connections: [RawConnection] = []
                    for _ in 0..<100 { connections.append(try RawConnection(port: gateway.port)) }
                    try await eventually("none is left") {
                        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count >= 40
                    }
                    let before = try ticks(pid)
                    await LoopTimer.sleep(for: .seconds(1))
                    let used = try ticks(pid) - before
                    // A loop that is told of waiting connections again and again takes all of the second's hundred ticks.
                    #expect(used < 50, "\(used) ticks in a second")
                    for connection in connections { connection.close() }
                    try await eventually("it serves again") { try await gateway.ask("GET /healthz").status == 200 }
                    #expect(gateway.program.errors.utf8.count < 200_000, "the log is not flooded")
                }
            }
        #endif
    }
}
