// Commands and a subscription on one Redis, without todos.
//
//   swift run CommandsAndChannels redis://127.0.0.1:6379

import EventLoop
import Foundation
import RedisClient

@LoopActor
final class News: RedisChannelListener {
    private(set) var received = 0

    func channelOpened(_ channel: String) { print("subscribed to \(channel)") }
    func channelLost(_ channel: String) { print("\(channel) may miss something now") }
    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        received += 1
        print("\(channel): \(String(decoding: message, as: UTF8.self))")
    }
}

@LoopActor
func run(_ url: RedisURL) async throws {
    let subscriber = RedisSubscriber(url)
    let news = News()
    subscriber.subscribe(.channel("news"), news)

    let client = RedisClient(url)
    let visits = try await client.send(RedisCommand("INCR", "visits")).integer ?? 0
    var receivers = 0
    while receivers == 0 {
        // No one receives it before the subscription is confirmed.
        receivers = try await client.send(RedisCommand("PUBLISH", "news", "visit \(visits)")).integer ?? 0
    }
    while news.received == 0 { await LoopTimer.sleep(for: .milliseconds(1)) }

    client.close()
    subscriber.close()
}

guard let url = CommandLine.arguments.dropFirst().first else {
    FileHandle.standardError.write(Data("usage: CommandsAndChannels URL\n".utf8))
    exit(64)
}
try await run(try RedisURL(url))
