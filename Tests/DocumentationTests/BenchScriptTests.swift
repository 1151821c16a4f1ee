import EventLoop
import Foundation
import TestServers
import Testing

/// Its options and refusals; no test depends on the speeds that it prints.
@Suite("scripts/bench")
struct BenchScriptTests {
    private let script = Checkout.root.appending(path: "scripts/bench").path
    private static let parts =
        "notify function writes http streams floor follow start cluster celebrity logins strangers search page peers"

    @Test("explains itself")
    func help() async throws {
        let outcome = try await Program.run(script, ["--help"])
        #expect(outcome.ending == .exit(0))
        #expect(outcome.errors.isEmpty)
        let text = outcome.output
        for part in Self.parts.split(separator: " ") {
            #expect(text.contains(part))
        }
        #expect(text.contains("usage: scripts/bench") && text.contains("--instructions [--record]"))
        #expect(text.contains("--holding\n") && text.hasSuffix("as much as one may.\n"))
    }

    @Test(
        "refuses what it does not know before it builds anything",
        arguments: [
            (["--fast"], "'--fast' is not known: see scripts/bench --help"),
            (["notify"], "'notify' is not known: see scripts/bench --help"),
            (["--runs"], "--runs needs a number from 1 to 99, not ''"),
            (["--runs", "0"], "--runs needs a number from 1 to 99, not '0'"),
            (["--runs", "100"], "--runs needs a number from 1 to 99, not '100'"),
            (["--only", "notify,all"], "'all' is no part: \(parts)"),
            (["--only"], "name at least one part: \(parts)"),
            (["--scenarios", "a"], "'a' is no scenario: A B C D E L1 L20 I10 I18"),
            (["--record"], "--record goes with --instructions"),
        ]
    )
    func refusals(_ arguments: [String], _ reason: String) async throws {
        let outcome = try await Program.run(script, arguments)
        #expect(outcome.ending == .exit(64))
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "scripts/bench: \(reason)\n")
    }
}
