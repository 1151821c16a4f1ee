import Foundation
import Testing

@testable import HTTPServing

@Suite("What waits for one reader")
struct FrameQueueTests {
    /// Two connected sockets, with room for all that is written here.
    private func withPair(_ body: (_ writer: Int32, _ reader: Int32) throws -> Void) throws {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for descriptor in pair { close(descriptor) } }
        var room: Int32 = 4 << 20
        for descriptor in pair {
            try #require(
                setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size)) == 0
            )
        }
        try body(pair[0], pair[1])
    }

    /// What lies in a socket.
    private func read(_ descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
            all += bytes[..<count]
        }
        return all
    }

    @Test(
        "is written so much at a time though the socket takes more, whole and in order",
        arguments: [[100_000], [10, 100_000], [100_000, 10], [600, 0, 600, 600], .init(repeating: 7, count: 200)],
        [1, 7, 599, 600, 1_000, 60_000]
    )
    func portions(_ sizes: [Int], _ most: Int) throws {
        try withPair { writer, reader in
            var queue = FrameQueue()
            var (sent, received): ([UInt8], [UInt8]) = ([], [])
            for (number, size) in sizes.enumerated() {
                let frame = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
                queue.append(frame)
                sent += frame
            }
            // A byte at a time of the long ones would only take long.
            let most = max(most, sent.count / 500)
            while !queue.isEmpty {
                let before = queue.bytes
                let isOpen = queue.write(to: writer, atMost: most)
                #expect(isOpen)
                let portion = read(reader)
                #expect(portion.count == min(most, before) && queue.bytes == before - portion.count)
                try #require(!portion.isEmpty)
                received += portion
            }
            #expect(received == sent)
        }
    }
}
