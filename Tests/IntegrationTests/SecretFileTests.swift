import CommandArguments
import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMateCLI
@testable import TodoMateGateway

@Suite("Secrets in files")
@LoopActor
struct SecretFileTests {
    private nonisolated static let secret = String(repeating: "s", count: 32)

    /// Runs `body` with a file of these bytes.
    private nonisolated func withFile<Result>(_ bytes: [UInt8], _ body: (String) async throws -> Result) async throws
        -> Result
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "todomate-secret-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    @Test(
        "are their lines, without the line feed at the end",
        arguments: [("a", ["a"]), ("a\n", ["a"]), (" a b \nc\n", [" a b ", "c"]), ("비밀", ["비밀"])]
    )
    func lines(_ text: String, _ lines: [String]) async throws {
        let read = try await withFile(Array(text.utf8)) { try SecretFile.lines($0) }
        #expect(read == lines)
    }

    @Test(
        "that hold none are refused, without telling what they hold",
        arguments: [
            ([], "is empty"), (Array("\n".utf8), "is empty"), (Array("unutterable\n\n".utf8), "empty line"),
            (Array("unutterable\n\nunutterable".utf8), "empty line"),
            (Array("unutterable\r\n".utf8), "carriage returns"),
            (Array("unutterable".utf8) + [0xFF], "not text"), (Array("unutterable\0".utf8), "not text"),
            (Array(repeating: UInt8(ascii: "x"), count: 4097), "more than 4096 bytes"),
        ] as [([UInt8], String)]
    )
    func refused(_ bytes: [UInt8], _ reason: String) async throws {
        try await withFile(bytes) { path in
            let error = #expect(throws: CommandError.self) { try SecretFile.lines(path) }
            let message = try #require(error?.message)
            #expect(message.contains(reason) && !message.contains("unutterable") && message.contains(path))
            #expect(error?.exitCode == .config)
        }
    }

    @Test("sign tokens, and let those of the lines below in")
    func signing() async throws {
        try await withFile(Array("\(Self.secret)\n\(GatewayProcess.secret)\n".utf8)) { path in
            try await withRedis { server in
                let port = try freePort()
                let words = ["worker", "--redis", server.address, "--listen", "127.0.0.1:\(port)"]
                let worker = try RunningProgram("todomate", words, environment: ["TODOMATE_SECRET_FILE": path])
                try await eventually("the worker is ready") { worker.errors.contains("message=ready") }
                let former = try GatewayProcess.token("alice")
                let printed = try await Program.run(
                    "todomate",
                    ["token", "alice", "--redis", server.address],
                    environment: ["TODOMATE_SECRET_FILE": path]
                )
                let new = printed.output.trimmingCharacters(in: .newlines)
                #expect(TokenSigner(secret: Self.secret)?.verify(new)?.uid == "alice")
                let foreign = try #require(TokenSigner(secret: String(repeating: "f", count: 32)))
                let known = try #require(TokenSigner(secret: Self.secret)?.verify(new))
                let forged = foreign.sign(known)
                for (token, status) in [(new, "200"), (former, "200"), (forged, "401")] {
                    let url = "http://127.0.0.1:\(port)/v1/users/alice/todos"
                    let request = [
                        "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)", url,
                    ]
                    let answer = try await Program.run("curl", request).output
                    #expect(answer == status)
                }
                #expect(!worker.errors.contains(Self.secret))
                await worker.stop()
            }
        }
    }

    @Test("let a command in at sentinels that want a password")
    func sentinelPassword() async throws {
        try await withRedisSentinels(replicas: 0, sentinels: 1, password: "s&cret") { redis in
            for (password, ending, words) in [("s&cret", 0, ""), ("wrong", 69, "for the sentinel is wrong")] {
                let outcome = try await withFile(Array("\(password)\n".utf8)) { path in
                    let environment = [
                        "TODOMATE_REDIS": redis.address, "TODOMATE_REDIS_SENTINEL_PASSWORD_FILE": path,
                    ]
                    return try await Program.run("todomate", ["add", "alice", "x"], environment: environment)
                }
                #expect(
                    outcome.ending == .exit(Int32(ending)) && (words.isEmpty || outcome.errors.contains(words)),
                    "\(outcome.errors)"
                )
                #expect(!outcome.errors.contains("s&cret"))
            }
        }
    }

    @Test("let a Redis user in whose password is in none of the places that others see")
    func redisPassword() async throws {
        try await withRedis("--user", "ann", "on", ">p@ss", "~*", "&*", "+@all", "--user", "default", "off") { server in
            try await withFile(Array("p@ss\n".utf8)) { path in
                let environment = [
                    "TODOMATE_REDIS": "\(server.address)?user=ann", "TODOMATE_REDIS_PASSWORD_FILE": path,
                ]
                let added = try await Program.run("todomate", ["add", "alice", "x"], environment: environment)
                #expect(added.ending == .exit(0), "\(added.errors)")
            }
            try await withFile(Array("wrong\nwrong\n".utf8)) { path in
                let environment = [
                    "TODOMATE_REDIS": "\(server.address)?user=ann", "TODOMATE_REDIS_PASSWORD_FILE": path,
                ]
                let refused = try await Program.run("todomate", ["list", "alice"], environment: environment)
                #expect(refused.ending == .exit(78) && refused.errors.contains("more than one line"))
            }
        }
    }
}
