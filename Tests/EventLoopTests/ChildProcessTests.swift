import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Child processes")
@LoopActor
struct ChildProcessTests {
    @Test("end with their own code or by a signal")
    func endings() async throws {
        #expect(try await ChildProcess("sh", ["-c", "exit 3"]).waitUntilEnded() == .exit(3))
        let child = try ChildProcess("sleep", ["1000"])
        #expect(child.isRunning)
        #expect(await child.stop() == .signal(SIGTERM))
        #expect(!child.isRunning)
    }

    @Test("that do not listen are ended all the same")
    func stubborn() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(
            path: "todomate-mark-\(UUID().uuidString.prefix(8))"
        )
        defer { try? FileManager.default.removeItem(at: mark) }
        let child = try ChildProcess("sh", ["-c", "trap '' TERM; touch \(mark.path); exec sleep 1000"])
        try await eventually("it ignores SIGTERM") { FileManager.default.fileExists(atPath: mark.path) }
        #expect(await child.stop(grace: .milliseconds(300)) == .signal(SIGKILL))
    }

    @Test("that cannot be found say so")
    func missing() {
        #expect {
            try ChildProcess("no-such-program", [])
        } throws: { error in
            "\(error)" == "no-such-program was not found on the PATH: install it"
        }
    }

    @Test("have a process group of their own, so that Ctrl-C does not reach them")
    func group() async throws {
        let child = try ChildProcess("sleep", ["1000"])
        #expect(getpgid(child.pid) != getpgid(0))
        await child.stop()
    }
}
