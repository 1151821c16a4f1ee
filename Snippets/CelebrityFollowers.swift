// Celebrities and their followers: first the celebrity notifies followers directly, then both know only the broker between
// them, and finally the broker spans processes.
//
//   swift run CelebrityFollowers                        directly, then through the broker
//   swift run CelebrityFollowers --redis URL observe    follow from this process …
//   swift run CelebrityFollowers --redis URL post       … what is posted in that one

import EventLoop
import Foundation
import Observing
import RedisClient
import TodoMateRedis

@LoopActor
final class Follower: @LoopActor Observer {
    let name: String
    init(_ name: String) { self.name = name }
    func receive(_ event: String) { show("\(name)입니다! -> \(event)") }
}

/// A subject of its own.
@LoopActor
final class Celebrity {
    let name: String
    private let subject = Subject<String, String>()
    init(_ name: String) { self.name = name }
    func add(_ follower: Follower) { subject.add(follower, for: name) }
    func remove(_ follower: Follower) { subject.remove(follower, for: name) }
    func post(_ text: String) { subject.notify(text, to: name) }
}

/// The broker: celebrities post to it, followers follow through it, and neither knows the other.
@LoopActor
final class PostManager {
    private let subject = Subject<String, String>()
    func add(_ follower: Follower, of celebrity: String) { subject.add(follower, for: celebrity) }
    func remove(_ follower: Follower, of celebrity: String) { subject.remove(follower, for: celebrity) }
    func notify(_ text: String, toFollowersOf celebrity: String) { subject.notify(text, to: celebrity) }
}

enum Script {
    static let (park, han) = ("박범구", "한호열")
    static let followers = ["안준호", "황장수", "조석봉"]
    static let (fromHan, fromPark) = ("호랑이 열정, 호열이에요~", "DP 복귀 안하니?")
}

/// Prints at once, even into a pipe.
func show(_ line: String) {
    print(line)
    fflush(nil)
}

@LoopActor
func runDirectly() {
    let (park, han) = (Celebrity(Script.park), Celebrity(Script.han))
    let followers = Script.followers.map { Follower($0) }
    for follower in followers { han.add(follower) }
    han.post(Script.fromHan)
    park.add(followers[0])
    park.post(Script.fromPark)
    withExtendedLifetime(followers) {}
}

@LoopActor
func runThroughBroker() {
    let manager = PostManager()
    let followers = Script.followers.map { Follower($0) }
    for follower in followers { manager.add(follower, of: Script.han) }
    manager.notify(Script.fromHan, toFollowersOf: Script.han)
    manager.add(followers[0], of: Script.park)
    manager.notify(Script.fromPark, toFollowersOf: Script.park)
    withExtendedLifetime(followers) {}
}

@LoopActor
func observe(_ url: RedisURL) async {
    let posts = SharedSubject<String>("posts", redis: url)
    let followers = Script.followers.map { Follower($0) }
    for follower in followers { posts.add(follower, for: Script.han) }
    posts.add(followers[0], for: Script.park)
    for celebrity in [Script.han, Script.park] { await posts.waitUntilSubscribed(to: celebrity) }
    show("소식을 기다립니다.")
    // Until Ctrl-C.
    await LoopTimer.sleep(for: .seconds(86_400))
    withExtendedLifetime(followers) {}
}

@LoopActor
func post(_ url: RedisURL) async throws {
    let posts = SharedSubject<String>("posts", redis: url)
    defer { posts.close() }
    try await posts.post(Script.fromHan, to: Script.han)
    try await posts.post(Script.fromPark, to: Script.park)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.isEmpty {
    await runDirectly()
    await runThroughBroker()
} else if arguments.count == 3, arguments[0] == "--redis", arguments[2] == "observe" {
    await observe(try RedisURL(arguments[1]))
} else if arguments.count == 3, arguments[0] == "--redis", arguments[2] == "post" {
    try await post(try RedisURL(arguments[1]))
} else {
    FileHandle.standardError.write(Data("usage: CelebrityFollowers [--redis URL observe|post]\n".utf8))
    exit(64)
}
