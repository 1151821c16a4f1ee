import EventLoop
import TestServers
import Testing

/// The commands that a document shows: they run from top to bottom, and print what is shown.
///
/// A block of `sh` holds commands; a block of `console` holds commands after `$ ` and what they print. A comment right
/// above a block may say
///
///     <!-- check-readme: background -->          its one command keeps running; the lines shown must appear
///     <!-- check-readme: skip: needs Docker -->  it cannot run here, and why
///
/// `skip the rest:` skips all blocks below as well.
@LoopActor
struct ShownCommands {
    private let path: String
    private let blocks: [CodeBlock]

    nonisolated init(in path: String) throws {
        self.path = path
        blocks = CodeBlock.all(in: try Checkout.text(path)).filter { ["sh", "console"].contains($0.language) }
    }

    nonisolated var isEmpty: Bool { blocks.isEmpty }

    func run(in sandbox: Sandbox) async throws {
        var background: [(place: Comment, shown: ShownOutput, output: @LoopActor () -> String)] = []
        blocks: for block in blocks {
            let place: Comment = "\(path), \(block.testDescription)"
            switch block.directive {
            case nil: try await run(block, place, in: sandbox)
            case "background":
                let session = try #require(Self.sessions(block).first, place)
                #expect(Self.sessions(block).count == 1, "\(place): only one command can go on")
                let output = try await sandbox.start(session.command)
                background.append((place, ShownOutput(session.output), output))
                let first = ShownOutput(Array(session.output.prefix(1)))
                try await eventually(place) { first.missing(from: output()).isEmpty }
            case let directive?:
                let skip = try #require(
                    directive.wholeMatch(of: /skip( the rest)?: \S.+/),
                    "\(place): what does '\(directive)' mean?"
                )
                if skip.1 != nil { break blocks }
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
}
