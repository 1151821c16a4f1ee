import Testing

/// A piece of code in a Markdown text.
struct CodeBlock: Sendable, Equatable, CustomTestStringConvertible {
    /// The word after the opening fence, such as `swift`; empty for none.
    var language: String
    /// The lines between the fences.
    var lines: [String]
    /// What a comment right above it says of it, as in `<!-- check-readme: background -->`.
    var directive: String?
    /// Where it begins, as an editor counts.
    var line: Int

    var testDescription: String { "line \(line): \(lines.first ?? "")" }

    /// The fenced blocks of a Markdown text, in order, those of lists included.
    static func all(in text: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: CodeBlock?
        var directive: String?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.trimmingPrefix(while: { $0 == " " })
            let fence = words.hasPrefix("```")
            if var block = open {
                block.lines += fence ? [] : [String(line)]
                if fence { blocks.append(block) }
                open = fence ? nil : block
            } else if fence {
                let language = String(words.dropFirst(3))
                open = CodeBlock(language: language, lines: [], directive: directive, line: number + 1)
                directive = nil
            } else if let comment = words.wholeMatch(of: /<!-- check-readme: (.+) -->/) {
                directive = String(comment.1)
            } else if !line.isEmpty {
                directive = nil
            }
        }
        return blocks
    }

    /// The lines without the indentation that all of them share.
    static func flushed(_ lines: some Collection<String>) -> [String] {
        let depths = lines.lazy.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let depth = depths.min() ?? 0
        return lines.map { String($0.dropFirst(depth)) }
    }
}
