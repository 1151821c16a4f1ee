import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The log of what commands do to accounts")
@LoopActor
struct AccountLogTests {
    @Test("has one line for each, and no secret", arguments: RedisKind.allCases)
    func lines(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, _ in
            func line(_ words: String..., input: String = "") async throws -> (line: String, output: String) {
                let command = words.map { "'\($0)'" }.joined(separator: " ")
                let outcome = try await Program.run(
                    "sh",
                    ["-c", "printf '%s\\n' '\(input)' | \(Program.builtPrograms.path)/todomate \(command)"],
                    environment: ["TODOMATE_REDIS": server.address, "TODOMATE_SECRET": GatewayProcess.secret]
                )
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                for word in [GatewayProcess.unutterable, GatewayProcess.secret, "eyJ", "argon2"] {
                    #expect(!outcome.errors.contains(word), "the log tells '\(word)'")
                }
                let line = outcome.errors.replacing(#/^time=\S+Z level=info label=account /#, with: "")
                return (line, outcome.output)
            }
            let password = "right-\(GatewayProcess.unutterable)"
            let added = try await line("user", "add", "alice", input: password)
            #expect(added.line == "message=\"account added\" uid=alice\n")
            let made = try await line("token", "alice", "--ttl", "1h", "--name", "for \(GatewayProcess.unutterable)")
            let listed = try await line("session", "list", "alice", "--json")
            let id = try #require(listed.output.firstMatch(of: /"id":"([^"]{8})/)).1
            #expect(made.output.hasPrefix("eyJ") && listed.line.isEmpty, "to look is not told")
            #expect(made.line == "message=\"token made\" uid=alice session=\(id) seconds=3600 scope=write\n")
            let ended = try await line("session", "end", "alice", String(id))
            #expect(ended.line == "message=\"session ended\" uid=alice session=\(id)\n")
            _ = try await line("token", "alice")
            let all = try await line("session", "end", "alice", "--all")
            #expect(all.line == "message=\"sessions ended\" uid=alice sessions=1\n")
            _ = try await line("token", "alice")
            let invited = try await line("invite", "alice", "--label", "for \(GatewayProcess.unutterable)")
            let invitations = try await line("invite", "list", "alice", "--json")
            let code = try #require(invitations.output.firstMatch(of: /"id":"([^"]{8})/)).1
            #expect(invited.line == "message=\"invitation made\" uid=alice invitation=\(code) uses=1\n")
            let takenBack = try await line("invite", "end", "alice", String(code))
            #expect(takenBack.line == "message=\"invitation taken back\" uid=alice invitation=\(code)\n")
            let reset = try await line("user", "reset", "alice", "--hours", "2")
            #expect(reset.line == "message=\"link for a password made\" uid=alice hours=2\n")
            let changed = try await line("user", "passwd", "alice", input: password + "-2")
            #expect(changed.line == "message=\"password changed\" uid=alice sessions=1\n")
            let removed = try await line("user", "remove", "alice")
            #expect(removed.line == "message=\"account removed\" uid=alice\n")
            let purged = try await line("user", "remove", "--purge", "alice")
            #expect(purged.line == "message=\"user purged\" uid=alice\n")
        }
    }
}
