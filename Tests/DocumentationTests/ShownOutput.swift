/// What a document says that a command prints: `…` stands for anything, ids and times for any others of their form.
struct ShownOutput {
    private let lines: [String]

    init(_ lines: [String]) { self.lines = lines.map(Self.withoutChance) }

    /// Whether that is all that was printed.
    func isAll(of output: String) -> Bool {
        Self.isMatch(
            lines[...],
            Self.withoutChance(output).split(separator: "\n", omittingEmptySubsequences: false)[...]
        )
    }

    /// The lines that were not printed.
    func missing(from output: String) -> [String] {
        let printed = Self.withoutChance(output).split(separator: "\n")
        return lines.filter { line in
            !line.isEmpty && line != "…" && !printed.contains { Self.isMatch(line[...], $0) }
        }
    }

    /// A line of just `…` stands for any lines.
    private static func isMatch(_ lines: ArraySlice<String>, _ printed: ArraySlice<Substring>) -> Bool {
        guard let line = lines.first else { return printed.allSatisfy(\.isEmpty) }
        if line == "…" {
            return (printed.startIndex...printed.endIndex).contains { isMatch(lines.dropFirst(), printed[$0...]) }
        }
        guard let next = printed.first, isMatch(line[...], next) else { return false }
        return isMatch(lines.dropFirst(), printed.dropFirst())
    }

    /// Within a line, `…` stands for any text.
    private static func isMatch(_ line: Substring, _ printed: Substring) -> Bool {
        let parts = line.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return line == printed }
        guard printed.hasPrefix(parts[0]) else { return false }
        var rest = printed.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }

    private static func withoutChance(_ text: String) -> String {
        text.replacing(/\d+-\d{16}/, with: "<change>")
            .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "<time>")
            .replacing(/\d{4}-\d\d-\d\d/, with: "<day>")
    }
}
