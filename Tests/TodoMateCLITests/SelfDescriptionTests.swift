import CommandArguments
import EventLoop
import Foundation
import Testing

@testable import TodoMateCLI

@Suite("What the command says about itself")
struct SelfDescriptionTests {
    private let commands = TodoMateProgram.commands

    @Test("Every command shows how it is used")
    func examples() {
        for spec in commands.specs {
            #expect(!spec.about.examples.isEmpty, "\(spec.name)")
            for line in spec.about.examples.map(\.line) { #expect(line.contains("todomate \(spec.name)"), "\(line)") }
        }
    }

    @Test("A build of a checkout knows its commit")
    func revision() {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.git")
        let isCheckout = FileManager.default.fileExists(atPath: folder.path)
        #expect(!BuildFacts.revision.isEmpty || !isCheckout)
    }

    @Test("No command declares an argument twice")
    func declarations() {
        for spec in commands.specs {
            let labels = (spec.positionals + spec.options).map(\.label)
            #expect(Set(labels).count == labels.count, "\(spec.name)")
            #expect(
                labels.contains("--redis")
                    || ["up", "completion", "man", "mail", "login", "logout", "password"].contains(spec.name),
                "\(spec.name)"
            )
        }
    }

    @Test("The manual page has every command, option and variable")
    func manual() {
        let page = ManualPage(commands: commands).text
        for spec in commands.specs {
            #expect(page.contains(".SS \"todomate \(spec.name)"), "\(spec.name)")
            for option in spec.options {
                let name = option.name.replacing("-", with: "\\-")
                #expect(page.contains("\\fB\\-\\-\(option.isNegatable ? "[no\\-]" : "")\(name)\\fR"), "\(option.name)")
                if let variable = option.environment { #expect(page.contains(".B \(variable)\n")) }
            }
        }
    }

    /// Runs a script in a shell and returns what it wrote.
    private func run(_ shell: String, _ script: String, _ options: String...) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "script-\(UUID().uuidString)")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [shell] + options + [file.path]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test("groff sets the manual page without a warning")
    func groff() async throws {
        let text = try await run("groff", ManualPage(commands: commands).text, "-ww", "-man", "-Tutf8", "-Kutf8", "-z")
        #expect(text == "")
    }

    @Test(
        "bash completes commands, options and values",
        arguments: [
            ("todomate do", "done doctor"), ("todomate user rem", "remove"),
            ("todomate completion ''", "bash zsh fish"),
            ("todomate invite l", "list"), ("todomate invite --us", "--uses"), ("todomate invite alice --us", "--uses"),
            ("todomate invite list alice --j", "--json"),
            ("todomate add alice x --sta", "--status"), ("todomate help exp", "export"),
            ("todomate add alice x --status in", "inProgress incomplete"),
            ("todomate doctor --re", "--ready --repair --redis --redis-password-file --redis-sentinel-password-file"),
            ("todomate user add --h", "--help"), ("todomate nonsense x", ""),
        ]
    )
    func bash(line: String, expected: String) async throws {
        let script = """
            \(Shell.bash.script(for: commands))
            COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _todomate; echo "${COMPREPLY[*]}"
            """
        #expect(try await run("bash", script) == expected + "\n")
    }

    @Test("zsh and fish find nothing wrong with their scripts")
    func syntax() async throws {
        #expect(try await run("zsh", Shell.zsh.script(for: commands), "-n") == "")
        #expect(try await run("fish", Shell.fish.script(for: commands), "--no-execute") == "")
    }

    @Test(
        "fish completes commands, options and values",
        arguments: [
            ("todomate exp", ["export"]), ("todomate user rem", ["remove"]), ("todomate add --stat", ["--status"]),
            ("todomate add --status in", ["inProgress", "incomplete"]),
            ("todomate completion ", ["bash", "fish", "zsh"]), ("todomate invite li", ["list"]),
            ("todomate invite alice --us", ["--uses"]), ("todomate invite list alice --us", []),
        ]
    )
    func fish(line: String, expected: [String]) async throws {
        let script = Shell.fish.script(for: commands) + "complete -C '\(line)'\n"
        let words = try await run("fish", script).split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(words.map(String.init).sorted() == expected)
    }
}
