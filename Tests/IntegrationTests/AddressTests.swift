import EventLoop
import Foundation
import TestServers
import Testing

/// It is about how one server is named.
@Suite("Workers on IPv6 alone")
@LoopActor
struct AddressTests {
    /// Whether this machine has `::1`.
    private nonisolated static var hasIPv6: Bool {
        #if os(Linux)
            let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    @Test("reach Redis and are reached", .enabled(if: hasIPv6, "this machine has no ::1: IPv6 was not tried"))
    func loopback() async throws {
        let redisPort = try freePort()
        try await withRedis("--bind", "::1", "--port", String(redisPort)) { server in
            let port = try freePort()
            let redis = "redis://[::1]:\(redisPort)"
            let words = ["worker", "--redis", redis, "--observe", "alice", "--listen", "[::1]:\(port)"]
            let worker = try RunningProgram("todomate", words)
            try await eventually("it observes") { worker.errors.contains("message=observing") }
            let body = #"{"content":"milk","date":"2026-11-20"}"#
            let request = ["-g", "-sS", "-H", "Content-Type: application/json", "-d", body]
            let answer = try await Program.run("curl", request + ["http://[::1]:\(port)/v1/users/alice/todos"])
            #expect(answer.output.contains("\"content\":\"milk\""), "\(answer.output)\(answer.errors)")
            try await eventually("it came") { worker.output.contains("milk") }
            let ending = await worker.stop()
            #expect(ending == .exit(0))
        }
    }
}
