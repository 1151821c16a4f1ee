import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

@Suite("Many streams")
@LoopActor
struct StreamFlushTests {
    private let frames = ["one", "two"].map { EventFrame.event(data: Array($0.utf8)) }

    @Test(
        "are written to some at a time, and what is sent meanwhile goes along with what still waits, once and in order"
    )
    func slices() async throws {
        try await withServer { server, port in
            let readers = try (0..<200).map { _ in try RawConnection(port: port) }
            for reader in readers { reader.send(get("/stream")) }
            try await eventually("all are open") { readers.allSatisfy { $0.text.hasSuffix(": open\n\n") } }
            var waiting: [[Int]] = []
            for stream in server.openStreams { stream.send(frames[0]) }
            LoopActor.atEndOfTurn {
                waiting.append(server.openStreams.map(\.queuedBytes))
                for stream in server.openStreams { stream.send(frames[1]) }
                waiting.append(server.openStreams.map(\.queuedBytes))
            }
            try await eventually("all have both") { readers.allSatisfy { $0.text.hasSuffix("data: two\n\n") } }
            let (one, both) = (frames[0].count, frames[0].count + frames[1].count)
            #expect(Set(waiting[0]) == [0, one], "some were written to, some were not")
            #expect(zip(waiting[0], waiting[1]).allSatisfy { $1 == ($0 == 0 ? frames[1].count : both) })
            #expect(readers.allSatisfy { $0.text.hasSuffix("\r\n\r\n: open\n\ndata: one\n\ndata: two\n\n") })
            #expect(server.openStreams.allSatisfy { $0.queuedBytes == 0 })
            for reader in readers { reader.close() }
        }
    }

    @Test("that end while others are written to are written to no more, and hold nobody up")
    func endings() async throws {
        try await withServer { server, port in
            let readers = try (0..<200).map { _ in try RawConnection(port: port) }
            for reader in readers { reader.send(get("/stream")) }
            try await eventually("all are open") { readers.allSatisfy { $0.text.hasSuffix(": open\n\n") } }
            let streams = server.openStreams
            for stream in streams { stream.send(frames[0]) }
            for stream in streams[..<100] { stream.close() }
            for stream in streams { stream.send(frames[1]) }
            try await eventually("half of them have ended, half have both") {
                readers.count { $0.isEnded } == 100 && readers.count { $0.text.hasSuffix("data: two\n\n") } == 100
            }
            let ended = readers.filter(\.isEnded)
            #expect(ended.allSatisfy { $0.text.hasSuffix(": open\n\ndata: one\n\n") })
            #expect(server.streamCount == 100)
            for reader in readers { reader.close() }
        }
    }

    @Test("take as many frames as there are while the socket does")
    func manyFrames() async throws {
        try await withServer { server, port in
            let reader = try RawConnection(port: port)
            reader.send(get("/stream"))
            try await eventually("it is open") { reader.text.hasSuffix(": open\n\n") }
            let stream = try #require(server.openStreams.first)
            for number in 1...300 { stream.send(EventFrame.event(data: Array("\(number)".utf8))) }
            var left: [Int] = []
            LoopActor.atEndOfTurn { left.append(stream.queuedBytes) }
            try await eventually("all came") { reader.text.hasSuffix("data: 300\n\n") }
            #expect(left == [0], "in the turn in which they were sent")
            let sent: [String] = (1...300).map { number in String(number) }
            #expect(reader.lines(after: "data: ") == sent)
            reader.close()
        }
    }

    @Test("have their head leave with what is sent first, or by itself when that takes longer")
    func head() async throws {
        try await withServer { server, port in
            let reader = try RawConnection(port: port)
            var waiting: [Int] = []
            server.onAnswer = { _, _, _, _ in
                LoopActor.atEndOfTurn { waiting += server.openStreams.map(\.queuedBytes) }
            }
            reader.send(get("/silent"))
            try await eventually("the head is there") { reader.text.hasSuffix("\r\n\r\n") }
            #expect(waiting == [reader.receivedBytes], "it did not leave in the turn in which the stream opened")
            #expect(reader.statuses == [200])
            reader.close()
            try await eventually("it is alone") { server.streamCount == 0 }
            // What is sent first comes a turn later, as a snapshot does.
            server.onAnswer = { [frames] _, _, _, _ in
                LoopActor.atEndOfNextTurn { for stream in server.openStreams { stream.send(frames[0]) } }
            }
            let quick = try RawConnection(port: port)
            var pieces: [String] = []
            quick.onReceive = { pieces.append(quick.text) }
            quick.send(get("/silent"))
            try await eventually("the first frame is there") { quick.text.hasSuffix("data: one\n\n") }
            #expect(pieces == [quick.text] && quick.statuses == [200])
            quick.close()
        }
    }
}
