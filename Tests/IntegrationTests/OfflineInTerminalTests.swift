import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A board in the terminal without a network", .serialized)
@LoopActor
struct OfflineInTerminalTests {
    @Test("opens with what was last seen, keeps what is typed, says how things stand, and sends it later")
    func offline() async throws {
        try await withFickleServer { laptop, server, redis in
            try await laptop.logIn()
            for words in [
                ["goal", "set", "alice", "Work"],
                ["add", "alice", "seen before", "--id", "seen-before", "--goal", "Work"],
                ["routine", "add", "alice", "Stretch every day", "--id", "r", "--goal", "Work"],
                ["profile", "bob", "--audience", "public", "--visibility", "public"], ["add", "bob", "of bob"],
                ["follow", "alice", "bob"], ["profile", "bob", "--name", "Bobby"],
            ] { #expect(try await redis.todomate(words).ending == .exit(0), "\(words)") }
            try await laptop.withTodoMate("watch", "--as", "alice") { pane in
                try await pane.shows("all that there is") {
                    $0.contains("● Live") && $0.contains("seen before") && $0.contains("of bob") && $0.contains("Work")
                        && $0.contains("Bobby")
                }
                try await pane.press("q")
                try await pane.shows("left: 0")
            }
            let path = try #require(laptop.keptFiles.first)
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
            await server.go()

            try await laptop.withTodoMate("watch", "--as", "alice") { pane in
                try await pane.shows("what was seen") {
                    $0.contains("seen before") && $0.contains("of bob") && $0.contains("Work") && $0.contains("Bobby")
                        && $0.contains("Stretch")
                }
                try await pane.shows("○ Not connected, trying again in ")
                try await pane.type("atyped in a tunnel")
                try await pane.press("Enter")
                try await pane.shows("typed in a tunnel")
                try await pane.shows("1 change waits")
                try await pane.press("g", "Space")
                try await pane.shows("2 changes wait")
                // Of the day of a routine no todo was made yet.
                try await pane.press("j", "Space")
                try await pane.shows("3 changes wait")
                try await pane.type("!")
                // Whether one was tried by then, and says so, is a question of time.
                try await pane.shows("what waits") {
                    $0.contains("Done here, and not at the server") && $0.contains("add “typed in a tunnel”")
                        && $0.contains("change “seen before”") && $0.contains("change “Stretch”")
                }
                try await pane.press("Escape")
                // An escape right before a letter would be Alt and that letter.
                try await pane.shows("the board again") { !$0.contains("Done here") && $0.contains("3 changes wait") }
                try await pane.press("q")
                try await pane.shows("the server does not have 3 of the changes yet")
                try await pane.shows("left: 0")
            }
            let refused = try await laptop.run("logout")
            #expect(
                refused.ending == .exit(65) && refused.errors.contains("3 changes were never sent"),
                "\(refused.errors)"
            )
            #expect(FileManager.default.fileExists(atPath: path))

            try await laptop.withTodoMate("watch", "alice") { pane in
                try await pane.shows("typed in a tunnel")
                try await pane.shows("3 changes wait")
                try await server.come()
                try await pane.shows("that it is live again") { $0.contains("● Live") && !$0.contains("wait") }
                try await eventually("all is sent, once") {
                    let list = try await redis.todomate("list", "alice", "--all").output
                    return list.components(separatedBy: "typed in a tunnel").count == 2
                        && list.components(separatedBy: #""status":"complete""#).count == 3 && list.contains("\"r--")
                }
                // A second one needs the network, and says so.
                try await laptop.withTodoMate("watch", "alice") { second in
                    try await second.shows("Works only with a network")
                    try await second.shows("typed in a tunnel")
                    try await second.press("q")
                    try await second.shows("left: 0")
                }
                try await pane.press("q")
                try await pane.shows("left: 0")
            }
            let left = try await laptop.run("logout")
            #expect(left.ending == .exit(0), "\(left.errors)")
            #expect(laptop.keptFiles.isEmpty && !FileManager.default.fileExists(atPath: laptop.loginFile.path))
        }
    }

    @Test("notices a server that says nothing any more, and goes on when it does; shows what is announced there")
    func silence() async throws {
        try await withFickleServer { laptop, server, redis in
            try await laptop.logIn()
            _ = try await redis.todomate("announce", "Back at noon")
            try await laptop.withTodoMate("watch") { pane in
                try await pane.shows("live") { $0.contains("● Live") && $0.contains("Back at noon") }
                await server.signal(SIGSTOP)
                // A heartbeat comes every three seconds.
                try await pane.shows("that it is silent") { !$0.contains("● Live") }
                _ = try await redis.todomate("announce", "--end")
                _ = try await redis.todomate("add", "alice", "added meanwhile")
                await server.signal(SIGCONT)
                try await pane.shows("all of it") {
                    $0.contains("● Live") && $0.contains("added meanwhile") && !$0.contains("Back at")
                }
                _ = try await redis.todomate("announce", "Back at one", "--level", "warning")
                try await pane.shows("Back at one")
                _ = try await redis.todomate("announce", "--end")
                try await pane.shows("it is gone") { !$0.contains("Back at") && $0.contains("● Live") }
            }
        }
    }

    @Test("shows what the server refused and why, tries it again, and gives it up")
    func refused() async throws {
        try await withFickleServer { laptop, server, redis in
            try await laptop.logIn()
            for id in ["first-of-all", "second-of-all"] { _ = try await redis.todomate("add", "alice", id, "--id", id) }
            try await laptop.withTodoMate("watch", "alice") { pane in
                try await pane.shows("both") { $0.contains("● Live") && $0.contains("second-of-all") }
                await server.go()
                try await pane.shows("○ Not connected")
                for key in ["g", "G"] {
                    try await pane.press(key)
                    try await pane.type("e, mine")
                    try await pane.press("Enter")
                    try await pane.shows(key == "g" ? "first-of-all, mine" : "second-of-all, mine")
                }
                try await pane.shows("2 changes wait")
                for id in ["first-of-all", "second-of-all"] { _ = try await redis.todomate("remove", "alice", id) }
                try await server.come()
                try await pane.shows("that two were refused") { $0.contains("● Live") && $0.contains("2 refused: !") }
                try await pane.type("!")
                try await pane.shows("why") { $0.contains("refused") && $0.contains("It was deleted elsewhere.") }
                try await pane.press("Enter")
                try await pane.shows("1 refused: !")
                try await pane.press("d", "Escape")
                try await pane.shows("nothing but what was brought back") {
                    $0.contains("first-of-all, mine") && !$0.contains("second-of-all") && !$0.contains("refused")
                }
                try await pane.press("q")
                try await pane.shows("left: 0")
            }
            #expect(try await redis.todomate("list", "alice", "--all").output.contains("first-of-all, mine"))
        }
    }

    @Test("ends with the sign-in only where that is meant: changes that wait are deleted by --force alone")
    func signOut() async throws {
        try await withFickleServer { laptop, server, _ in
            try await laptop.logIn()
            try await laptop.withTodoMate("watch", "alice") { pane in
                try await pane.shows("● Live")
                // While a board has it open, it is not taken away.
                let busy = try await laptop.run("logout")
                #expect(busy.ending == .exit(65) && busy.errors.contains("in use by another program"), "\(busy.errors)")
                await server.go()
                try await pane.shows("○ Not connected")
                try await pane.type("anever sent")
                try await pane.press("Enter")
                try await pane.shows("1 change waits")
                try await pane.press("q")
                try await pane.shows("left: 0")
            }
            try await server.come()
            // Somebody else signs in: what was never sent stays for its owner.
            try await laptop.logIn("bob")
            #expect(laptop.keptFiles.contains { $0.hasSuffix("alice.sqlite") })
            try await laptop.logIn()
            try await laptop.withTodoMate("logout") { pane in
                try await pane.shows("1 change was never sent")
                try await pane.type("n")
                try await pane.press("Enter")
                try await pane.shows("nothing was deleted")
                try await pane.shows("left: 65")
            }
            #expect(try await laptop.run("logout", "--force").ending == .exit(0))
            #expect(!laptop.keptFiles.contains { $0.contains("alice") })
        }
    }
}
