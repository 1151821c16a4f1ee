import EventLoop
import Foundation
import TestServers
import Testing

/// What the README and the articles show and name.
@Suite("The documents")
@LoopActor
struct ArticleTests {
    private nonisolated static let readmes = ["README.md", "README.ko.md"]
    private nonisolated static var articles: [String] {
        get throws {
            let articles = try Checkout.files(in: "Sources", endingIn: ".md")
            // Over none of them the tests would pass.
            try #require(!articles.isEmpty)
            return articles
        }
    }

    @Test(
        "have commands that run and print what they show",
        arguments: try articles.filter { try !ShownCommands(in: $0).isEmpty }
    )
    func commands(_ path: String) async throws {
        _ = try await Sandbox.with { sandbox in
            _ = try await sandbox.start("scripts/run")
            try await ShownCommands(in: path).run(in: sandbox)
        }
    }

    @Test("have no code that could not be checked", arguments: try readmes + articles)
    func checkable(_ path: String) throws {
        let languages: Set = ["sh", "console", "swift", "json", "text"]
        let text = try Checkout.text(path)
        let blocks = CodeBlock.all(in: text)
        for block in blocks {
            #expect(languages.contains(block.language), "\(path):\(block.line) names no language of \(languages)")
        }
        let fenced = Set(blocks.flatMap { $0.line...$0.line + $0.lines.count + 1 })
        for (number, line) in text.components(separatedBy: "\n").enumerated()
        where line.hasPrefix("    ") && !fenced.contains(number + 1) {
            Issue.record("\(path):\(number + 1) is code by indentation, which nobody runs: put it between fences")
        }
    }

    @Test(
        "show whole files of the examples",
        arguments: ["Package.swift", "Sources/TodoFeed/main.swift", "Sources/Thermometer/main.swift"]
    )
    func whole(_ path: String) throws {
        let text = try Checkout.text("Examples/\(path)").trimmingCharacters(in: .newlines)
        let shown = try Self.articles.contains { article in
            CodeBlock.all(in: try Checkout.text(article)).contains { $0.lines.joined(separator: "\n") == text }
        }
        #expect(shown, "no article shows Examples/\(path) as it is")
    }

    @Test(
        "name programs, files and subcommands that there are",
        arguments: try readmes + ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] + articles
    )
    func names(_ path: String) async throws {
        let text = try Checkout.text(path)
        for link in text.matches(of: /\]\(([^)#]+)\)/) where !link.1.hasPrefix("http") {
            let file = Checkout.root.appending(path: String(link.1)).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path) links to \(link.1), which is not there")
        }
        for script in text.matches(of: /\bscripts\/([a-z-]+)/) {
            let file = Checkout.root.appending(path: String(script.0)).path
            #expect(FileManager.default.isExecutableFile(atPath: file), "\(path) names \(script.0)")
        }
        for word in Set(text.matches(of: /`todomate ([a-z]+)/).map { String($0.1) }) {
            let outcome = try await Program.run("todomate", [word, "--help"])
            #expect(outcome.ending == .exit(0), "\(path) names todomate \(word): \(outcome.errors)")
        }
        for snippet in text.matches(of: /swift run ([A-Z]\w+)/) {
            let file = Program.builtPrograms.appending(path: String(snippet.1)).path
            #expect(FileManager.default.isExecutableFile(atPath: file), "\(path) names the snippet \(snippet.1)")
        }
    }
}
