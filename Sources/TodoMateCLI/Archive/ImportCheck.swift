import TodoMate

/// The first look at an import: every line is checked, and told of when it cannot be taken.
struct ImportCheck {
    /// What the look found.
    struct Outcome {
        /// Lines that can be taken.
        var good = 0
        /// Lines that cannot.
        var refused = 0
    }

    let source: ImportSource
    let options: Import.Options
    let talk: Terminal
    let isStopped: @Sendable () async -> Bool

    /// Looks at all lines.
    mutating func run() async throws -> Outcome {
        var outcome = Outcome()
        var lines = source.lines(longest: ArchiveLine.longest)
        var bar = ProgressBar(ProgressLine(label: "check", unit: "bytes", total: source.size), terminal: talk)
        defer { bar.clear() }
        while let line = try lines.next() {
            if line.number % 1000 == 0, await isStopped() {
                throw CommandError("interrupted: nothing was written", exitCode: .interrupted)
            }
            bar.update(lines.bytesRead)
            guard options.wants(line) else { continue }
            do throws(TodoError) {
                let content = try ArchiveLine(line)
                if options.user == nil || content.uid == options.user { outcome.good += 1 }
            } catch {
                outcome.refused += 1
                bar.clear()
                talk.write(Import.refusal(line.number, error.description))
            }
        }
        return outcome
    }
}

extension ArchiveLine {
    /// Checks a line of a file.
    init(_ line: LineReader.Line) throws(TodoError) {
        guard let bytes = line.bytes else { throw .invalid("the line has more than \(Self.longest) bytes") }
        try self.init(bytes)
    }
}
