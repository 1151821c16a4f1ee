import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

#if REDIS_TLS
    @Suite("TLS")
    @LoopActor
    struct RedisTLSTests {
        @Test("carries any bytes, to a name and to an address", arguments: ["localhost", "127.0.0.1"])
        func roundTrip(_ host: String) async throws {
            try await withTLSRedis { server in
                try await server.redis.cli("CONFIG", "SET", "requirepass", "right")
                var url = try server.url("cacert=ca.pem", host: host)
                url.password = "right"
                url.database = 3
                let client = RedisClient(url)
                defer { client.close() }
                var set = RedisCommand("SET", "key\r\n 한")
                set.append([0, 13, 10, 255] as [UInt8])
                #expect(try await client.send(set) == .status("OK"))
                #expect(try await client.send(RedisCommand("GET", "key\r\n 한")) == .bytes([0, 13, 10, 255]))
                #expect(try await client.send(RedisCommand("CLIENT", "INFO")).string?.contains("db=3") == true)
            }
        }

        @Test("carries megabytes both ways at once", arguments: ["TLSv1.2", "TLSv1.3"])
        func megabytes(_ version: String) async throws {
            try await withTLSRedis("--tls-protocols", version) { server in
                let client = RedisClient(try server.url("cacert=ca.pem"), timeout: .seconds(60))
                defer { client.close() }
                let block = (0..<5000).map { _ in UInt8.random(in: .min ... .max) }
                let values = (0..<48).map { number in
                    var value = Array("\(number)".utf8)
                    for _ in 0..<210 { value += block }
                    return value
                }
                let answers = values.map { value in
                    Task {
                        var command = RedisCommand("ECHO")
                        command.append(value)
                        return try await client.send(command)
                    }
                }
                for (task, value) in zip(answers, values) {
                    let isSame = try await task.value == .bytes(value)
                    #expect(isSame)
                }
            }
        }

        @Test("keeps many commands under way at once, each with its own answer")
        func pipelining() async throws {
            try await withTLSRedis { server in
                let client = RedisClient(try server.url("cacert=ca.pem"), timeout: .seconds(60))
                defer { client.close() }
                let echoes = (0..<5000).map { String(repeating: "x", count: $0 % 700) + String($0) }
                let answers = echoes.map { text in Task { try await client.send(RedisCommand("ECHO", text)).string } }
                for (task, text) in zip(answers, echoes) {
                    let answer = try await task.value
                    #expect(answer == text)
                }
            }
        }

        @Test("brings what is published, in order, and finds its way back after a crash of the server")
        func publishing() async throws {
            try await withTLSRedis { server in
                let url = try server.url("cacert=ca.pem")
                let (client, subscriber) = (RedisClient(url), RedisSubscriber(url))
                defer {
                    client.close()
                    subscriber.close()
                }
                let listener = RecordingListener()
                subscriber.subscribe(.channel("news"), listener)
                try await eventually("it is open") { listener.openings == 1 }
                let messages = (0..<2000).map { "\($0) " + String(repeating: "y", count: $0 % 50) }
                for message in messages { Task { try await client.send(RedisCommand("PUBLISH", "news", message)) } }
                try await eventually("all came") { listener.messages.count == messages.count }
                #expect(listener.messages == messages)

                await server.redis.crash()
                try await eventually("the loss is known") { !client.isConnected && !subscriber.isConnected }
                try await server.redis.start()
                try await server.show("server")
                try await server.listen()
                try await eventually("it is open again") { listener.openings == 2 }
                try await client.send(RedisCommand("PUBLISH", "news", "back"))
                try await eventually("it hears again") { listener.messages.last == "back" }
                try await server.redis.cli("CLIENT", "KILL", "TYPE", "pubsub")
                try await eventually("it is open once more") { listener.openings == 3 }
            }
        }

        @Test(
            "refuses a server that cannot prove who it is",
            arguments: [
                ("server", "localhost", "", "not trusted: self-signed certificate in certificate chain; name the CA"),
                ("server", "localhost", "cacert=stranger.pem", "not trusted: self-signed certificate"),
                ("elsewhere", "localhost", "cacert=ca.pem", "is not for 'localhost'"),
                ("elsewhere", "127.0.0.1", "cacert=ca.pem", "is not for '127.0.0.1'"),
                ("expired", "localhost", "cacert=ca.pem", "has expired: renew it"),
                ("server", "localhost", "cacert=missing.pem", "missing.pem cannot be used: No such file or directory"),
                ("server", "localhost", "cacert=server.key", "server.key cannot be used: no certificate"),
            ]
        )
        func refusals(_ certificate: String, _ host: String, _ query: String, _ reason: String) async throws {
            try await withTLSRedis { server in
                try await server.show(certificate)
                let answer = try await refusal(of: server.url(query, host: host))
                #expect(answer?.contains(reason) == true, "\(answer ?? "it was let in")")
                // What was refused can be repaired while the client runs.
                try await server.show("server")
                #expect(try await refusal(of: server.url("cacert=ca.pem")) == nil)
            }
        }

        @Test("is refused without the certificate that the server demands", arguments: ["TLSv1.2", "TLSv1.3"])
        func clientCertificates(_ version: String) async throws {
            try await withTLSRedis("--tls-protocols", version, "--tls-auth-clients", "yes") { server in
                try await server.authority.issue("client", signedBy: "ca")
                try await server.authority.issue("foreign", signedBy: "stranger")
                try await server.authority.lock("client", as: "locked.key")
                for (query, reason) in [
                    ("", "it wants a client certificate"),
                    ("&cert=foreign.pem&key=foreign.key", "it does not accept the client certificate"),
                    ("&cert=missing.pem&key=client.key", "missing.pem cannot be used: No such file"),
                    ("&cert=client.pem&key=foreign.key", "foreign.key cannot be used: key values mismatch"),
                    ("&cert=client.pem&key=locked.key", "locked.key cannot be used"),
                ] {
                    let answer = try await refusal(of: server.url("cacert=ca.pem" + query))
                    #expect(answer?.contains(reason) == true, "\(answer ?? "it was let in")")
                }
                #expect(try await refusal(of: server.url("cacert=ca.pem&cert=client.pem&key=client.key")) == nil)
            }
        }

        @Test("says so when the server does not speak TLS")
        func plainServer() async throws {
            try await withTLSRedis { server in
                let port = try await server.listen(as: "port")
                let answer = try await refusal(of: server.url("cacert=ca.pem", port: port))
                // Some versions of Redis wait for the rest of the line.
                let words = [
                    "does not speak TLS on this port", "no answer to the TLS handshake: is this its port for TLS?",
                ]
                #expect(words.contains { answer?.contains($0) == true }, "\(answer ?? "it was let in")")
            }
        }

        @Test("keeps the failures of one connection apart from the others")
        func neighbours() async throws {
            try await withTLSRedis { server in
                let client = RedisClient(try server.url("cacert=ca.pem"))
                let refused = try (0..<8).map { _ in RedisClient(try server.url("cacert=stranger.pem")) }
                defer { for client in refused + [client] { client.close() } }
                var losses = 0
                var failures = 0
                client.onConnectionChange = { if case .lost = $0 { losses += 1 } }
                for client in refused { client.onConnectionChange = { _ in failures += 1 } }
                try await eventually("many were refused") {
                    try await client.send(RedisCommand("ECHO", "mine"))
                    return failures > 50
                }
                #expect(losses == 0)
            }
        }

        /// The reason for which a URL is refused; nil when it is let in.
        private func refusal(of url: RedisURL) async -> String? {
            let client = RedisClient(url, timeout: .seconds(20))
            defer { client.close() }
            do throws(RedisError) {
                try await client.send(RedisCommand("PING"))
                return nil
            } catch .refused(_, let reason) {
                return reason
            } catch {
                return "not refused: \(error)"
            }
        }
    }

    /// Runs `body` with a redis-server that speaks TLS.
    private func withTLSRedis(
        _ options: String...,
        body: @LoopActor @Sendable (TLSRedis) async throws -> Void
    ) async throws {
        let authority = ["--tls-ca-cert-file", "ca.pem", "--tls-auth-clients", "no"]
        let redis = try await RedisServer(authority + options)
        do {
            try await redis.start()
            try await body(TLSRedis(redis))
            await redis.stop()
        } catch {
            await redis.stop()
            throw error
        }
    }

    /// A redis-server of the test's own that speaks TLS, with certificates made for it.
    @LoopActor
    private final class TLSRedis {
        let redis: RedisServer
        let authority: CertificateAuthority
        private var port = 0

        init(_ redis: RedisServer) async throws {
            self.redis = redis
            authority = CertificateAuthority(folder: redis.folder)
            for name in ["ca", "stranger"] { try await authority.found(name) }
            let names = "DNS:localhost,IP:127.0.0.1"
            try await authority.issue("server", for: names, signedBy: "ca")
            try await authority.issue("elsewhere", for: "DNS:redis.example,IP:192.0.2.1", signedBy: "ca")
            try await authority.issue("expired", for: names, signedBy: "ca", until: "20200201000000Z")
            try await show("server")
            try await listen()
        }

        /// Has it listen on a port, the same as before or any that is free.
        @discardableResult
        func listen(as setting: String = "tls-port") async throws -> Int {
            var candidate = 0
            try await eventually("a port is free") {
                candidate = try setting == "tls-port" && port != 0 ? port : freePort()
                return try await redis.cli("CONFIG", "SET", setting, String(candidate)) == "OK"
            }
            if setting == "tls-port" { port = candidate }
            return candidate
        }

        /// Has it show a certificate to new connections.
        func show(_ name: String) async throws {
            let (certificate, key) = ("\(name).pem", "\(name).key")
            let answer = try await redis.cli("CONFIG", "SET", "tls-cert-file", certificate, "tls-key-file", key)
            try #require(answer == "OK")
        }

        /// Where it is; the files in the query lie in its folder.
        func url(_ query: String, host: String = "localhost", port: Int? = nil) throws -> RedisURL {
            try RedisURL(
                "rediss://\(host):\(port ?? self.port)?" + query.replacing("=", with: "=\(redis.folder.path)/")
            )
        }
    }
#else
    @Suite("A build without TLS")
    @LoopActor
    struct RedisWithoutTLSTests {
        @Test("TLS against a real server", .disabled("this build has no TLS: hiredis/hiredis_ssl.h is not installed"))
        func skipped() {}

        @Test("reads rediss:// and refuses it at once, with what to do")
        func refusal() async throws {
            #expect(!RedisURL.isTLSSupported)
            let client = RedisClient(try RedisURL("rediss://no-such-host.invalid?cacert=/ca.pem"))
            defer { client.close() }
            await #expect(
                throws: RedisError.refused(
                    endpoint: "no-such-host.invalid:6379",
                    reason: "this build has no TLS: build it where hiredis 1.0 or newer with hiredis_ssl is installed "
                        + "(Debian 13, Ubuntu 24.04), or use redis:// inside a trusted network"
                )
            ) {
                try await client.send(RedisCommand("PING"))
            }
        }
    }
#endif
