import EventLoop
import Foundation
import TestServers
import Testing

/// Every command of the README runs, from top to bottom, and prints what is shown.
///
/// A block of `sh` holds commands; a block of `console` holds commands after `$ ` and what they print. A comment right
/// above a block may say
///
///     <!-- check-readme: background -->         its one command goes on while the rest runs; lines shown must appear
///     <!-- check-readme: skip: needs Docker --> it cannot run here, and why
@Suite("The README")
@LoopActor
struct ReadmeTests {
    private nonisolated static let commands: Set = ["sh", "console"]
    private nonisolated static let languages: Set = ["sh", "console", "swift", "json", "text", "yaml", "lua"]

    private nonisolated static func blocks(_ path: String = "README.md") throws -> [CodeBlock] {
        CodeBlock.all(in: try Checkout.text(path))
    }

    @Test("has commands that run and print what it shows")
    func commands() async throws {
        let endings = try await Sandbox.with { try await run(Self.blocks(), of: "README.md", in: $0) }
        // The first one started is the last one to end.
        #expect(endings.last?.ending == .exit(0), "\(endings.last?.errors ?? "nothing was started")")
    }

    @Test("is not alone in that", arguments: ["Sources/TodoMate/TodoMate.docc/TheRedisContract.md"])
    func articles(_ path: String) async throws {
        _ = try await Sandbox.with { sandbox in
            let output = try sandbox.start("scripts/run")
            try await eventually("it is up") { output().contains("Ctrl-C ends") }
            try await run(Self.blocks(path), of: path, in: sandbox)
        }
    }

    private func run(_ blocks: [CodeBlock], of path: String, in sandbox: Sandbox) async throws {
        var background: [(place: Comment, shown: ShownOutput, output: @LoopActor () -> String)] = []
        for block in blocks where Self.commands.contains(block.language) {
            let place: Comment = "\(path), \(block.testDescription)"
            switch block.directive {
            case nil: try await run(block, place, in: sandbox)
            case "background":
                let session = try #require(Self.sessions(block).first, place)
                #expect(Self.sessions(block).count == 1, "\(place): only one command can go on")
                let output = try sandbox.start(session.command)
                background.append((place, ShownOutput(session.output), output))
                let first = ShownOutput(Array(session.output.prefix(1)))
                try await eventually(place) { first.missing(from: output()).isEmpty }
            case let directive?:
                #expect(directive.wholeMatch(of: /skip: \S.+/) != nil, "\(place): what does '\(directive)' mean?")
            }
        }
        for (place, shown, output) in background {
            try await eventually(place) { shown.missing(from: output()).isEmpty }
            #expect(shown.missing(from: output()) == [], "\(place): printed instead:\n\(output())")
        }
    }

    private func run(_ block: CodeBlock, _ place: Comment, in sandbox: Sandbox) async throws {
        // A block of plain commands is one script, as what it exports holds to its end.
        let script = block.lines.joined(separator: "\n")
        let sessions = block.language == "sh" ? [Session(command: script, output: ["…"])] : Self.sessions(block)
        #expect(!sessions.isEmpty, "\(place): no command")
        for session in sessions {
            let outcome = try await sandbox.run(session.command)
            let place: Comment = "\(place): \(session.command)"
            #expect(outcome.ending == .exit(0), "\(place)\n\(outcome.output)\n\(outcome.errors)")
            #expect(ShownOutput(session.output).isAll(of: outcome.output), "\(place)\nprinted:\n\(outcome.output)")
            // redis-cli and curl say by words alone that something was wrong.
            let hasProblem = outcome.output.contains(/^(ERR|TODOMATE_|NOPERM)|"urn:todomate:problem/)
            #expect(!hasProblem || session.output != ["…"], "\(place)\n\(outcome.output)")
        }
    }

    private struct Session {
        var command: String
        var output: [String]
    }

    /// The commands of a block and what each prints; a line that ends with a backslash goes on in the next.
    private nonisolated static func sessions(_ block: CodeBlock) -> [Session] {
        guard block.language == "console" else {
            return block.lines.map { Session(command: $0, output: []) }
        }
        var sessions: [Session] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                sessions.append(Session(command: String(line.dropFirst(2)), output: []))
            } else if let last = sessions.indices.last {
                if sessions[last].command.hasSuffix("\\"), sessions[last].output.isEmpty {
                    sessions[last].command += "\n" + line
                } else {
                    sessions[last].output.append(line)
                }
            }
        }
        return sessions
    }

    @Test("has no code that could not be checked", arguments: ["README.md", "README.ko.md"])
    func checkable(_ path: String) throws {
        for block in try Self.blocks(path) {
            #expect(
                Self.languages.contains(block.language),
                "\(path):\(block.line) names no language of \(Self.languages)"
            )
        }
        let lines = try Checkout.text(path).components(separatedBy: "\n")
        let fenced = Set(try Self.blocks(path).flatMap { $0.line...$0.line + $0.lines.count + 1 })
        for (number, line) in lines.enumerated() where line.hasPrefix("    ") && !fenced.contains(number + 1) {
            Issue.record("\(path):\(number + 1) is code by indentation, which nobody runs: put it between fences")
        }
    }

    @Test(
        "shows whole files of the examples",
        arguments: ["Package.swift", "Sources/TodoFeed/main.swift", "Sources/Thermometer/main.swift"]
    )
    func whole(_ path: String) throws {
        let text = try Checkout.text("Examples/\(path)").trimmingCharacters(in: .newlines)
        let shown = try Self.blocks().contains { $0.language == "swift" && $0.lines.joined(separator: "\n") == text }
        #expect(shown, "README.md does not show Examples/\(path) as it is")
    }

    @Test("names programs, files and subcommands that there are", arguments: ["README.md", "README.ko.md"])
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

    @Test("in Korean has the same commands, code, pictures and sections")
    func korean() throws {
        let (english, korean) = (try Checkout.text("README.md"), try Checkout.text("README.ko.md"))
        func code(_ text: String) -> [CodeBlock] {
            CodeBlock.all(in: text).filter { $0.language != "text" }.map { block in
                var block = block
                block.line = 0
                // A comment speaks the language of its reader.
                block.lines = block.lines.map { $0.replacing(/\s*# .*/, with: "") }
                return block
            }
        }
        for (left, right) in zip(code(english), code(korean)) { #expect(left == right) }
        #expect(code(english).count == code(korean).count)
        func outline(_ text: String) -> [String] {
            let lines = text.split(separator: "\n")
            return lines.compactMap { $0.wholeMatch(of: /(#+) .*|!\[.*\]\((.*)\)/).map { "\($0.1 ?? $0.2 ?? "")" } }
        }
        #expect(outline(english) == outline(korean))
        func facts(_ text: String) -> Set<String> {
            let prose = text.replacing(/```.*?```/.dotMatchesNewlines(), with: "")
            return Set(prose.matches(of: /`([^`]+)`|\d[\d.,\/]*\d/).map { String($0.0).replacing("\n", with: " ") })
        }
        #expect(facts(english).symmetricDifference(facts(korean)) == [], "names and figures")
        #expect(korean.contains(/[가-힣]{3}/))
    }
}
