import EventLoop
import Foundation
import TestServers
import Testing

/// The board in real browsers: each scenario is a Python file; its tests start their own Redis and workers.
@Suite("The board in a browser")
struct WebTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/scenarios"

    /// What matters most is tried in these as well where `TODOMATE_ENGINES` is `all`: beside all other lanes of `scripts/test`, on two
    /// processors, they wait for longer than a test may.
    private static let others =
        ProcessInfo.processInfo.environment["TODOMATE_ENGINES"] == "all" ? ["firefox", "webkit"] : []

    @Test("behaves as what matters most says in other engines, too", arguments: others)
    func engines(_ engine: String) async throws {
        let outcome = try await Self.scenarios(in: engine)
        #expect(outcome.errors.contains(/Ran [1-9]\d+ tests in/), "too few were run:\n\(outcome.errors)")
    }

    /// Always, where there is the engine: a page that opens, is written in and follows what others write.
    @Test(
        "is live in Firefox",
        .enabled(if: isThere("firefox-esr"), "no firefox-esr: scripts/deps --test installs it from Debian")
    )
    func firefox() async throws { try await Self.liveness(in: "firefox") }

    @Test(
        "is live in WebKitGTK",
        .enabled(
            if: isThere("WebKitWebDriver") && isThere("Xvfb"),
            "no WebKitWebDriver or Xvfb: scripts/deps --test installs webkit2gtk-driver and xvfb"
        )
    )
    func webKit() async throws { try await Self.liveness(in: "webkit") }

    private static func isThere(_ program: String) -> Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    private static func liveness(in engine: String) async throws {
        let outcome = try await scenarios(
            in: engine,
            "two_workers.py",
            ["TwoWorkers.test_a_change_made_anywhere_shows_in_both"]
        )
        #expect(outcome.errors.contains("Ran 1 test in"), "\(outcome.errors)")
    }

    @Test("behaves as its scenarios say")
    func scenarios() async throws {
        // A browser waits for most of the time: three beside each other take little more than a third as long.
        async let first = Self.scenarios(in: "chromium", part: "1/3")
        async let second = Self.scenarios(in: "chromium", part: "2/3")
        async let third = Self.scenarios(in: "chromium", part: "3/3")
        let errors = try await first.errors + second.errors + third.errors
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".py") {
            let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            guard text.contains("\n    def test_") else { continue }
            #expect(errors.contains("(\(name.dropLast(3))."), "\(name) was not run:\n\(errors)")
        }
    }

    private static func scenarios(
        in engine: String,
        part: String = "1/1",
        _ file: String = "all.py",
        _ names: [String] = []
    ) async throws -> Program.Outcome {
        let outcome = try await Program.run(
            "/usr/bin/python3",
            ["-B", "\(folder)/\(file)"] + names,
            environment: [
                "TODOMATE_PROGRAM": Program.builtPrograms.path + "/todomate", "TODOMATE_BROWSER": engine,
                "TODOMATE_PART": part,
            ]
        )
        // Those that failed come first, and why: a log is often cut.
        let failed = outcome.errors.split(separator: "\n").filter {
            $0.hasPrefix("FAIL:") || $0.hasPrefix("ERROR:")
                || $0.prefixMatch(of: /[A-Za-z.]*(Error|Exception)\b/) != nil
        }
        #expect(
            outcome.ending == .exit(0),
            "\(engine): \(failed.joined(separator: ", "))\n\(outcome.output)\n\(outcome.errors)"
        )
        return outcome
    }

    @Test(
        "has one text for each key, in both languages",
        arguments: ["english", "korean", "accountEnglish", "accountKorean"]
    )
    func words(_ language: String) throws {
        let path = Self.folder + "/../../../Sources/TodoMateGateway/Web/\(language).js"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // Of two with the same key JavaScript takes the last one, and says nothing. Those of problems are a table of their own.
        let table = text.range(of: "problems: {").map { text.prefix(upTo: $0.lowerBound) } ?? text[...]
        let keys = table.matches(of: /(?:^|[{,]|\n)\s*([A-Za-z_]+): (?=['`(])/).map { String($0.1) }
        let repeated = Dictionary(grouping: keys) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(
            keys.count > (language.hasPrefix("account") ? 20 : 120) && repeated.isEmpty,
            "\(repeated) of \(keys.count)"
        )
    }

    @Test("packs every file of the page")
    func packed() async throws {
        let web = Self.folder + "/../../../Sources/TodoMateGateway/Web"
        let files = try FileManager.default.contentsOfDirectory(atPath: web)
            .filter { $0 != "index.html" && $0 != "manifest.webmanifest" }
        #expect(files.count > 20)
        let output = FileManager.default.temporaryDirectory.appending(path: "todomate-packed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let entries = ["early.js", "board.js", "worker.js", "page.css"].map { "\(web)/\($0)" }
        let outcome = try await Program.run(
            "/usr/bin/env",
            ["esbuild"] + entries + [
                "--bundle", "--outdir=\(output.path)", "--metafile=\(output.path)/report.json", "--loader:.svg=file",
            ]
        )
        // It says of each part what is in it.
        let report = try String(contentsOf: output.appending(path: "report.json"), encoding: .utf8)
        for file in files { #expect(report.contains("/\(file)\": {"), "\(file) is not packed: \(outcome.errors)") }
    }
}
