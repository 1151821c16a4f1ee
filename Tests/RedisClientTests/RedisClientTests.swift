import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@Suite("The Redis client")
@LoopActor
struct RedisClientTests {
    @Test("sends any bytes and returns what Redis answers")
    func roundTrip() async throws {
        try await withRedis { server in
            let client = RedisClient(server.url)
            defer { client.close() }
            var set = RedisCommand("SET", "key\r\n 한")
            set.append([0, 13, 10, 255] as [UInt8])
            #expect(try await client.send(set) == .status("OK"))
            #expect(try await client.send(RedisCommand("GET", "key\r\n 한")) == .bytes([0, 13, 10, 255]))
            #expect(try await client.send(RedisCommand("GET", "none")) == .null)
            #expect(try await client.send(RedisCommand("INCRBY", "n", "-5")) == .integer(-5))
            try await client.send(RedisCommand("RPUSH", "list", "", "b"))
            #expect(
                try await client.send(RedisCommand("LRANGE", "list", "0", "-1")) == .array([.bytes([]), .bytes([98])])
            )
            await #expect(throws: RedisError.server(.init(message: "ERR value is not an integer or out of range"))) {
                try await client.send(RedisCommand("INCRBY", "n", "x"))
            }
        }
    }

    @Test("keeps many commands under way at once, each with its own answer")
    func pipelining() async throws {
        try await withRedis { server in
            let client = RedisClient(server.url, timeout: .seconds(60))
            defer { client.close() }
            let echoes = (0..<5000).map { String(repeating: "x", count: $0 % 700) + String($0) }
            let answers = echoes.map { text in Task { try await client.send(RedisCommand("ECHO", text)).string } }
            for (task, text) in zip(answers, echoes) {
                let answer = try await task.value
                #expect(answer == text)
            }
        }
    }

    @Test("waits for a Redis that comes later")
    func waits() async throws {
        let server = try RedisServer()
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        async let answer = client.send(RedisCommand("PING"))
        try await server.start()
        #expect(try await answer == .status("PONG"))
        await server.stop()
    }

    @Test("says that Redis cannot be reached, where, and why")
    func unreachable() async throws {
        let client = RedisClient(try RedisURL("unix:///nowhere/redis.sock"), timeout: .milliseconds(300))
        defer { client.close() }
        await #expect {
            try await client.send(RedisCommand("PING"))
        } throws: { error in
            "\(error)".contains("/nowhere/redis.sock") && "\(error)".contains("No such file")
        }
    }

    @Test("fails what was under way when the connection breaks, and connects again")
    func reconnects() async throws {
        try await withRedis { server in
            let (client, other) = (RedisClient(server.url), RedisClient(server.url))
            defer {
                client.close()
                other.close()
            }
            try await other.send(RedisCommand("PING"))
            let number = try #require(try await client.send(RedisCommand("CLIENT", "ID")).integer)
            let blocked = Task { try await client.send(RedisCommand("BLPOP", "nothing", "0")) }
            try await eventually("the command is under way") {
                try await other.send(RedisCommand("CLIENT", "LIST", "ID", String(number))).string?.contains("cmd=blpop")
                    == true
            }
            try await other.send(RedisCommand("CLIENT", "KILL", "ID", String(number)))
            await #expect {
                _ = try await blocked.value
            } throws: { error in
                if case RedisError.connectionLost = error { true } else { false }
            }
            let answer = try await client.send(RedisCommand("PING"))
            #expect(answer == .status("PONG"))
        }
    }

    @Test("gives up on an answer that does not come, and keeps later answers apart")
    func timeouts() async throws {
        try await withRedis { server in
            let client = RedisClient(server.url, timeout: .milliseconds(300))
            defer { client.close() }
            await client.waitUntilConnected()
            await #expect(throws: RedisError.noAnswer(seconds: 0.3)) {
                try await client.send(RedisCommand("BLPOP", "nothing", "0"))
            }
            // The answer to the command that was given up comes now, and must not be taken for another's.
            try await server.cli("RPUSH", "nothing", "late")
            try await eventually("later commands get their own answers") {
                (try? await client.send(RedisCommand("ECHO", "mine")))?.string == "mine"
            }
        }
    }

    @Test("is refused with the reason when the password is wrong or missing")
    func passwords() async throws {
        try await withRedis("--requirepass", "right") { server in
            for (password, reason) in [(nil, "wants a password"), ("wrong", "password is wrong")] as [(String?, String)]
            {
                var url = server.url
                url.password = password
                let client = RedisClient(url, timeout: .seconds(20))
                await #expect {
                    try await client.send(RedisCommand("PING"))
                } throws: { error in
                    "\(error)".contains(reason)
                }
                client.close()
            }
            var url = server.url
            url.password = "right"
            url.database = 3
            let client = RedisClient(url)
            let info = try await client.send(RedisCommand("CLIENT", "INFO")).string
            #expect(info?.contains("db=3") == true)
            client.close()
        }
    }
}

@Suite("The Redis subscriber")
@LoopActor
struct RedisSubscriberTests {
    @Test("hears its channels and patterns, from the confirmation to the end")
    func hears() async throws {
        try await withRedis { server in
            let subscriber = RedisSubscriber(server.url)
            defer { subscriber.close() }
            let (one, many) = (RecordingListener(), RecordingListener())
            subscriber.subscribe(.channel("one"), one)
            subscriber.subscribe(.pattern("many:*"), many)
            try await eventually("both are open") { one.events.count == 1 && many.events.count == 1 }
            try await server.cli("PUBLISH", "one", "1")
            try await server.cli("PUBLISH", "many:a", "2")
            try await server.cli("PUBLISH", "other", "3")
            try await eventually("the messages came") { one.events.count == 2 && many.events.count == 2 }
            #expect(one.events == ["opened one", "one: 1"])
            #expect(many.events == ["opened many:*", "many:a: 2"])
            subscriber.unsubscribe(.channel("one"))
            try await eventually("Redis knows") { try await server.cli("PUBSUB", "CHANNELS") == "" }
            #expect(one.events.count == 2)
        }
    }

    @Test("subscribes to everything again after the connection was lost")
    func resubscribes() async throws {
        try await withRedis { server in
            let subscriber = RedisSubscriber(server.url)
            defer { subscriber.close() }
            let listeners = (0..<1200).map { _ in RecordingListener() }
            for (number, listener) in listeners.enumerated() { subscriber.subscribe(.channel("c\(number)"), listener) }
            try await eventually("all are open") { listeners.allSatisfy { $0.events.count == 1 } }
            try await server.cli("CLIENT", "KILL", "TYPE", "pubsub")
            try await eventually("all are open again") { listeners.allSatisfy { $0.events.count == 3 } }
            #expect(listeners[7].events == ["opened c7", "lost c7", "opened c7"])
        }
    }

    @Test("keeps up with a channel that is wanted, not wanted, and wanted again")
    func flips() async throws {
        try await withRedis { server in
            let subscriber = RedisSubscriber(server.url)
            defer { subscriber.close() }
            let listener = RecordingListener()
            subscriber.subscribe(.channel("c"), listener)
            try await eventually("it is open") { listener.events == ["opened c"] }
            for _ in 0..<10 {
                subscriber.unsubscribe(.channel("c"))
                subscriber.subscribe(.channel("c"), listener)
            }
            try await eventually("it is open again") { listener.events == ["opened c", "opened c"] }
            try await server.cli("PUBLISH", "c", "x")
            try await eventually("it hears") { listener.events.last == "c: x" }
        }
    }
}
