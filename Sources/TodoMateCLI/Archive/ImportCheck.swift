import CommandArguments
import TerminalUI
import TodoMate

/// The first pass of an import: checks every line, and reports those that are refused.
struct ImportCheck {
    /// What the look found.
    struct Outcome {
        /// Lines that can be taken.
        var good = 0
        /// Lines that cannot.
        var refused = 0
        /// The number of the last line.
        var last = 0
    }

    let source: ImportSource
    let options: Import.Options
    /// Whose lines alone can be taken; nil for everybody's.
    let owner: String?
    let messages: Terminal
    let isStopped: @Sendable () async -> Bool

    /// Looks at all lines.
    ///
    /// - Throws: `CommandError` when it was interrupted, or the file does not have the requested lines.
    mutating func run() async throws -> Outcome {
        var outcome = Outcome()
        var lines = source.lines(longest: ArchiveLine.longest)
        var bar = ProgressBar(ProgressLine(label: "check", unit: "bytes", total: source.size), terminal: messages)
        defer { bar.clear() }
        while let line = try lines.next() {
            if line.number % 1000 == 0, await isStopped() {
                throw CommandError("interrupted: nothing was written", exitCode: .interrupted)
            }
            bar.update(lines.bytesRead)
            outcome.last = line.number
            guard options.wants(line) else { continue }
            do throws(TodoError) {
                let content = try ArchiveLine(line)
                if let owner, options.user == nil, content.uid != owner {
                    throw .invalid("it is \(content.uid)'s: --user \(owner) leaves all but your own out")
                }
                if options.user == nil || content.uid == options.user { outcome.good += 1 }
            } catch {
                outcome.refused += 1
                bar.clear()
                messages.write(Import.refusal(line.number, error.description))
            }
        }
        try refuseToMiss(outcome)
        return outcome
    }

    /// A mistyped name or number would otherwise pass for an import that is done.
    private func refuseToMiss(_ outcome: Outcome) throws(CommandError) {
        // An import that was interrupted at its end continues right after the last line.
        guard options.firstLine <= outcome.last + 1 else {
            throw CommandError(
                "there is no line \(options.firstLine): the last one is \(outcome.last)",
                exitCode: .dataError
            )
        }
        guard let user = options.user, options.firstLine == 1, outcome.good + outcome.refused == 0 else { return }
        throw CommandError("no line is of \(user): nothing was written", exitCode: .dataError)
    }
}

extension ArchiveLine {
    /// Checks a line of a file.
    init(_ line: LineReader.Line) throws(TodoError) {
        guard let bytes = line.bytes else { throw .invalid("the line has more than \(Self.longest) bytes") }
        try self.init(bytes)
    }
}
