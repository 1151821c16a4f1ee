import EventLoop
import Foundation
import TestServers
import Testing

/// `todomate invite` and `todomate user reset`, as an operator types them.
/// What a command makes of its words is the same whatever Redis there is.
@Suite("The commands that let people in")
@LoopActor
struct InviteCommandTests {
    private func withAlice(_ body: @LoopActor (any TestRedis) async throws -> Void) async throws {
        try await withRedis { server in
            _ = try await server.todomate("library", "load")
            try await server.call("todomate_enroll", "alice", GatewayProcess.passwordHash)
            try await body(server)
        }
    }

    @Test("print a link, list what it is about, and take it back")
    func invitation() async throws {
        try await withAlice { server in
            let made = try await server.todomate("invite", "alice", "--uses", "3", "--days", "2", "--label", "the club")
            #expect(made.ending == .exit(0), "\(made.errors)")
            let link = made.output.wholeMatch(of: /http:\/\/localhost:8080\/#join=alice\.([\w-]{32})\n/)
            let secret = try #require(link.map { String($0.1) })
            let listed = try await server.todomate("invite", "list", "alice")
            let line = try #require(
                listed.output.firstMatch(of: /^(\S{8})  (\S+Z)  until (\S+Z)  3 of 3 left  the club\n$/)
            )
            let json = try await server.todomate("invite", "list", "alice", "--json").output
            let id = try #require(json.firstMatch(of: /^\{"id":"([\w-]{22})","made":"/).map { String($0.1) })
            #expect(
                id.hasPrefix(line.1)
                    && json.contains(#""uses":3,"left":3,"welcome":false,"label":"the club","came":[]}"#)
            )
            #expect(!json.contains(secret) && !made.errors.contains(secret))
            _ = try await server.call("todomate_take_invitation", "alice", id, "bob")
            let came = try await server.todomate("invite", "list", "alice").output
            #expect(came.contains("2 of 3 left  the club  came: bob\n"))
            for words in [["bob", id], ["alice", "zzzz"]] {
                let unknown = try await server.todomate(["invite", "end"] + words)
                #expect(unknown.ending == .exit(65) && unknown.errors.contains("invite list \(words[0])"))
            }
            let short = try await server.todomate("invite", "end", "alice", "zz")
            #expect(short.ending == .exit(64))
            let ended = try await server.todomate("invite", "end", "alice", String(line.1))
            #expect(ended.output == "alice: the invitation \(line.1) is taken back.\n")
            let none = try await server.todomate("invite", "list", "alice")
            #expect(none.ending == .exit(0) && none.output.isEmpty)
        }
    }

    @Test(
        "refuse what is out of bounds",
        arguments: [
            ["invite"], ["invite", "alice", "--uses", "0"], ["invite", "alice", "--uses", "101"],
            ["invite", "alice", "--days", "366"], ["invite", "alice", "--server", "todo.example"],
            ["invite", "alice", "--server", "https://todo.example/#x"],
            ["invite", "alice", "--server", "https://a@todo.example"], ["invite", "end", "alice"],
            ["user", "reset"], ["user", "reset", "alice", "--hours", "0"],
            ["user", "reset", "alice", "--hours", "721"],
        ]
    )
    func usage(_ words: [String]) async throws {
        let outcome = try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": "unix:///nowhere.sock"])
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty, "\(words): \(outcome.errors)")
    }

    @Test("refuse users without an account, and labels that are none")
    func refusals() async throws {
        try await withAlice { server in
            for words in [["invite", "bob"], ["user", "reset", "bob"]] {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(65) && outcome.errors.contains("todomate user add bob"))
                #expect(outcome.output.isEmpty)
            }
            let label = try await server.todomate("invite", "alice", "--label", "two\nlines")
            #expect(label.ending == .exit(65) && label.errors.contains("label must be one line"), "\(label.errors)")
            for number in 0..<50 {
                let draft =
                    "{\"id\":\"I\(String(repeating: "0", count: 18))\(100 + number)\",\"uses\":1,\"seconds\":60}"
                let made = try await server.call("todomate_invite", "alice", draft)
                #expect(made.hasPrefix("{"), "\(made)")
            }
            let full = try await server.todomate("invite", "alice")
            #expect(full.ending == .exit(65) && full.errors.contains("invite end alice"), "\(full.errors)")
        }
    }

    @Test("take the address of the page from the environment")
    func server() async throws {
        try await withAlice { server in
            let environment = ["TODOMATE_REDIS": server.address, "TODOMATE_PUBLIC_URL": "https://todo.example/"]
            for (words, kind) in [(["invite", "alice"], "join"), (["user", "reset", "alice"], "reset")] {
                let outcome = try await Program.run("todomate", words, environment: environment)
                #expect(outcome.output.hasPrefix("https://todo.example/#\(kind)=alice."), "\(outcome.errors)")
            }
            let reset = try await server.cli("HGET", "todomate:{alice}:profile", "reset").split(separator: " ")
            let seconds = Int(Date().timeIntervalSince1970)
            let expires = try #require(reset.last.flatMap { Int($0) })
            #expect(reset.first?.count == 22 && (86_340...86_400).contains(expires - seconds))
        }
    }
}
