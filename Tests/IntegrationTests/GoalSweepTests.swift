import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A visibility that a goal's todos get a part at a time")
@LoopActor
struct GoalSweepTests {
    @Test("reaches all of them though another process answers for the next part")
    func restarted() async throws {
        // Each process has a seed of its own, by which it orders what a hash holds.
        let server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
        try await server.start()
        let library = try await server.todomate("library", "load")
        #expect(library.ending == .exit(0), "\(library)")
        try await server.call("todomate_set_goal", "alice", #"{"id":"g1","name":"Body","visibility":"private"}"#)
        for first in stride(from: 0, to: 2000, by: 500) {
            let todos = (first..<first + 500).map { number in
                #"{"id":"t\#(number)","uid":"alice","content":"c","date":"2026-11-20","goal":"g1","visibility":"public"}"#
            }
            try await server.call("todomate_import", "alice", ["add"] + todos)
        }
        var (place, changed, parts) = ("0", 0, 0)
        while place != "" {
            // The empty line of an empty place is trimmed away.
            let answer = try await server.call("todomate_spread_goal", "alice", "g1", "private", place)
                .split(separator: "\n").map(String.init)
            try #require(answer.count == 4 || answer.count == 3, "\(answer)")
            place = answer.count == 4 ? answer[0] : ""
            changed += try #require(Int(answer[answer.count - 3]))
            parts += 1
            guard parts.isMultiple(of: 5), parts < 20 else { continue }
            await server.crash()
            try await server.start()
        }
        #expect(changed == 2000)
        let left = try await server.cli("EVAL_RO", Self.countPublic, "1", "todomate:{alice}:todos")
        #expect(left == "0")
        await server.stop()
    }

    private static let countPublic = """
        local count = 0
        for _, todo in ipairs(redis.call('HVALS', KEYS[1])) do
          if todo:find('"visibility":"public"', 1, true) then count = count + 1 end
        end
        return count
        """
}
