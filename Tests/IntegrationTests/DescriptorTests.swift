import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
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

        @Test("lives on when no descriptor is left, waits without work, and recovers")
        func descriptors() async throws {
            try await withRedis { server in
                let gateway = try await GatewayProcess(on: server, port: freePort(), limitedBy: "ulimit -n 64")
                var connections: [RawConnection] = []
                for _ in 0..<300 { connections.append(try RawConnection(port: gateway.port)) }
                try await eventually("some are turned away") { connections.contains { $0.isEnded } }
                #if os(Linux)
                    let before = try ticks(await gateway.program.pid)
                    await LoopTimer.sleep(for: .seconds(1))
                    let used = try ticks(await gateway.program.pid) - before
                    // A loop that is told of waiting connections again and again takes all of the second's hundred ticks.
                    #expect(used < 50, "\(used) ticks in a second")
                #endif
                for connection in connections { connection.close() }
                try await eventually("it serves again") { try await gateway.ask("GET /healthz").status == 200 }
                #expect(gateway.program.errors.utf8.count < 200_000, "the log is not flooded")
                try await gateway.finish()
            }
        }
    }
}
