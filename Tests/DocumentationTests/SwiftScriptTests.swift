import EventLoop
import Foundation
import TestServers
import Testing

/// With a `swift` on the `PATH` that ends as the test says: a true crash of the package manager comes once in many builds.
@Suite("scripts/swift")
struct SwiftScriptTests {
    @Test(
        "tries again what crashed, twice at most, and nothing else",
        arguments: [
            (["exit 0"], 1, 0),
            (["exit 1", "exit 0"], 1, 1),
            (["kill -SEGV $$", "exit 0"], 2, 0),
            (["kill -ILL $$", "kill -ABRT $$", "exit 0"], 3, 0),
            (["kill -TRAP $$", "exit 1", "exit 0"], 2, 1),
            (["kill -BUS $$", "kill -SEGV $$", "kill -SEGV $$", "exit 0"], 3, 139),
            (["kill -KILL $$", "exit 0"], 1, 137),
            (["kill -TERM $$", "exit 0"], 1, 143),
        ]
    )
    func attempts(_ endings: [String], _ calls: Int, _ status: Int32) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-swift-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (index, ending) in endings.enumerated() {
            try Data(ending.utf8).write(to: folder.appending(path: "ending-\(index + 1)"))
        }
        let fake = folder.appending(path: "swift")
        let lines = [
            "#!/usr/bin/env bash", "ulimit -c 0", "cd '\(folder.path)'", "echo \"$# $*\" >>calls",
            "eval \"$(cat \"ending-$(wc -l <calls)\")\"", "",
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: fake)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fake.path)

        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let outcome = try await Program.run(
            Checkout.root.appending(path: "scripts/swift").path,
            ["build", "--product", "a b"],
            environment: ["PATH": "\(folder.path):\(path)"]
        )
        #expect(outcome.ending == .exit(status), "\(outcome.errors)")
        let seen = try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
        #expect(seen == String(repeating: "3 build --product a b\n", count: calls))
        #expect(outcome.errors.components(separatedBy: "trying again").count == calls)
    }
}
