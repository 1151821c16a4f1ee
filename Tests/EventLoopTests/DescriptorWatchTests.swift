import EventLoop
import Foundation
import Testing

@Suite("A watched descriptor")
@LoopActor
struct DescriptorWatchTests {
    @LoopActor
    private final class Owner { var hasReceived = false }

    @Test("can be handed over, and once it is cancelled keeps nobody alive")
    func handOver() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let first = Owner()
        weak var second: Owner?
        weak var watch: DescriptorWatch?
        await withUnsafeContinuation { continuation in
            let owner = Owner()
            let watched = DescriptorWatch(ends[0], onReadable: { first.hasReceived = true }, onWritable: {})
            watched.startReading()
            watched.handOver(
                onReadable: {
                    owner.hasReceived = true
                    watched.cancel()
                    continuation.resume()
                },
                onWritable: {}
            )
            (second, watch) = (owner, watched)
            _ = write(ends[1], "x", 1)
        }
        #expect(!first.hasReceived && second == nil && watch == nil)
        for end in ends { close(end) }
    }
}
