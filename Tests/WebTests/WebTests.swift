import EventLoop
import Foundation
import TestServers
import Testing

/// The board in real browsers: each scenario is a Python file that starts its own Redis, workers and browsers.
@Suite("The board in a browser", .serialized)
struct WebTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/scenarios"

    @Test(
        "behaves as its scenarios say",
        arguments: [
            "sign_in", "daily_work", "two_workers", "keyboard", "refusals", "appearance",
            "shared_board", "shared_looks", "many_lists",
        ]
    )
    func scenario(_ name: String) async throws {
        let outcome = try await Program.run(
            "/usr/bin/python3",
            ["-B", "\(Self.folder)/\(name).py"],
            environment: ["TODOMATE_PROGRAM": Program.builtPrograms.path + "/todomate"]
        )
        #expect(outcome.ending == .exit(0), "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.errors.contains("Ran "), "no scenario ran:\n\(outcome.errors)")
    }

    @Test("leaves out no scenario that there is")
    func complete() throws {
        let scenarios = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { name in
            guard name.hasSuffix(".py") else { return false }
            return try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8).contains("\n    main()")
        }
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        for scenario in scenarios { #expect(source.contains("\"\(scenario.dropLast(3))\""), "\(scenario) is not run") }
    }

    @Test("serves every file of the page")
    func served() throws {
        let gateway = Self.folder + "/../../../Sources/TodoMateGateway"
        let files = try FileManager.default.contentsOfDirectory(atPath: gateway + "/Web").filter { $0 != "index.html" }
        #expect(files.count > 20)
        let source = try String(contentsOfFile: gateway + "/WebAssets.swift", encoding: .utf8)
        for file in files { #expect(source.contains("\"/\(file)\""), "\(file) is not served") }
    }
}
