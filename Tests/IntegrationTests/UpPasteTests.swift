import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The lines that todomate up prints", .serialized)
@LoopActor
struct UpPasteTests {
    private static let shells = ["sh", "bash", "zsh", "fish"]

    /// The printed lines that come to an end by themselves.
    private func lines(of up: Up) -> String {
        let lines = up.program.lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        return lines.filter { !$0.contains(" SUBSCRIBE ") && !$0.contains("curl -N ") }.joined(separator: "\n")
    }

    @Test(
        "work when pasted into every shell, whatever the folder's name",
        arguments: ["data", #"할 일 %20 'quoted' "twice" \\ \ $HOME ; & ! * ~ #"#],
        [false, true]
    )
    func shells(_ name: String, _ hasPort: Bool) async throws {
        let folder = DataFolder(name)
        let options = hasPort ? ["--port", String(try freePort())] : ["--observe", "alice,bob"]
        try await withUp(in: folder, options[0], options[1]) { up in
            let lines = lines(of: up)
            #expect(lines.contains("todomate add") && lines.contains("PUBLISH") && (up.port != nil) == hasPort)
            // They lead to the program, which no folder of this has.
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            for shell in Self.shells {
                // In a folder of its own, so that nothing is found that the lines do not name.
                let elsewhere = ["-c", "cd /\n\(lines)"]
                let outcome = try await Program.run(shell, elsewhere, environment: ["PATH": path])
                #expect(outcome.ending == .exit(0) && outcome.errors == "", "\(shell): \(outcome)\n\(lines)")
                for problem in ["ERR", "NOAUTH", "TODOMATE_", "WRONGPASS"] {
                    #expect(!outcome.output.contains(problem), "\(shell): \(outcome.output)")
                }
                #expect(outcome.output.contains("Call mum") && outcome.output.contains("Buy milk"), "\(shell)")
            }
            let count = Self.shells.count
            try await eventually("each shell's are shown") { up.shown("hi").count >= 2 * count }
            #expect(up.shown("hi").count == 2 * count)
        }
    }

    @Test("leave the PATH alone where it has todomate")
    func path() async throws {
        let path = "\(Program.builtPrograms.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        try await withUp(in: DataFolder(), environment: ["PATH": path]) { up in
            let lines = lines(of: up)
            #expect(lines.contains("todomate add") && !lines.contains("export PATH"))
        }
    }
}
