import TerminalUI

/// Lays out help for a terminal of a given width.
public struct HelpText {
    /// A term and what it means, side by side.
    public struct Entry: Sendable {
        /// What stands at the left.
        public let term: String
        /// What stands at the right, wrapped.
        public let text: String

        /// Makes an entry.
        public init(term: String, text: String) { (self.term, self.text) = (term, text) }
    }

    /// A titled list of terms.
    public struct List: Sendable {
        /// What stands above it.
        public let title: String
        /// The terms, in order.
        public let entries: [Entry]

        /// Makes a list.
        public init(title: String, entries: [Entry]) { (self.title, self.entries) = (title, entries) }
    }

    private let width: Int
    private var blocks: [String] = []

    /// Starts a text; narrower than 40 columns it would be unreadable, so it is never that.
    init(width: Int) {
        self.width = max(40, width)
    }

    /// The whole text, its parts separated by empty lines.
    var text: String { blocks.joined(separator: "\n\n") + "\n" }

    /// Adds a paragraph, the lines after the first indented.
    mutating func addParagraph(_ text: String, indent: Int = 0) {
        let margin = String(repeating: " ", count: indent)
        blocks.append(text.wrapped(toWidth: width - indent).joined(separator: "\n" + margin))
    }

    /// Adds a titled list, its terms in one column and their texts in another.
    mutating func addList(_ title: String, _ entries: [Entry]) {
        guard !entries.isEmpty else { return }
        // Long terms stand on a line of their own rather than push every text to the right.
        let limit = width < 60 ? 8 : 26
        let column = min(entries.map(\.term.displayWidth).max() ?? 0, limit) + 4
        let margin = String(repeating: " ", count: column)
        let lines = entries.flatMap { entry -> [String] in
            let text = entry.text.wrapped(toWidth: width - column)
            let term = "  " + entry.term
            guard let first = text.first else { return [term] }
            let following = text.dropFirst().map { margin + $0 }
            guard term.displayWidth + 2 <= column else { return [term, margin + first] + following }
            return [term.padded(toWidth: column) + first] + following
        }
        blocks.append("\(title):\n" + lines.joined(separator: "\n"))
    }

    /// Adds command lines to copy, which are never wrapped, with their explanations.
    mutating func addExamples(_ examples: [CommandDescription.Example]) {
        guard !examples.isEmpty else { return }
        let lines = examples.flatMap { example in
            ["  " + example.line] + example.explanation.wrapped(toWidth: width - 6).map { "      " + $0 }
        }
        blocks.append("Examples:\n" + lines.joined(separator: "\n"))
    }
}

extension CommandSpec {
    /// The line that shows how the command is called.
    func usage(program: String) -> String {
        let options = options.isEmpty ? [] : ["[options]"]
        return (["Usage:", program, name] + options + positionals.map(\.usage)).joined(separator: " ")
    }

    /// What `--help` prints.
    public func help(program: String, width: Int) -> String {
        var help = HelpText(width: width)
        help.addParagraph(usage(program: program), indent: 4)
        help.addParagraph(about.summary)
        for paragraph in about.discussion.paragraphs { help.addParagraph(paragraph) }
        help.addList("Arguments", positionals.map { HelpText.Entry(term: $0.label, text: $0.fullHelp) })
        let helpEntry = HelpText.Entry(term: "-h, --help", text: "Show this help.")
        help.addList("Options", options.map { HelpText.Entry(term: $0.term, text: $0.fullHelp) } + [helpEntry])
        for list in about.lists { help.addList(list.title, list.entries) }
        help.addExamples(about.examples)
        return help.text
    }
}

extension ArgumentSpec {
    /// How it stands in the usage line.
    fileprivate var usage: String {
        let word = isRepeating ? "<\(name)>..." : "<\(name)>"
        return count.lowerBound == 0 || environment != nil ? "[\(word)]" : word
    }

    /// How it stands in the list of options: `-w, --workers <count>`.
    fileprivate var term: String {
        let alias = short.map { "-\($0), " } ?? "    "
        let long = isNegatable ? "--[no-]\(name)" : "--\(name)"
        return alias + long + (kind == .option ? " <\(valueName)>" : "")
    }

    /// The help with what it can be, what it is by default, and where else it comes from.
    var fullHelp: String {
        var notes: [String] = []
        if !choices.isEmpty { notes.append("one of: \(choices.joined(separator: ", "))") }
        if let defaultText, !defaultText.isEmpty { notes.append("default: \(defaultText)") }
        if let environment { notes.append("environment: \(environment)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}

extension String {
    /// The parts between empty lines, each on one line.
    fileprivate var paragraphs: [String] {
        split(separator: "\n\n").map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    }
}
