/// The manual page, made of the same declarations as the help; see man(7) for the language.
public struct ManualPage {
    private let commands: CommandSet

    /// A page about these commands.
    public init(commands: CommandSet) { self.commands = commands }

    /// The page's source, for section 1.
    public var text: String {
        var lines = [
            ".TH \(commands.program.uppercased()) 1 \"\" \"\(commands.program) \(commands.version)\" \"User Commands\"",
            ".SH NAME",
            "\(commands.program) \\- \(Self.escaped(commands.summary))",
            ".SH SYNOPSIS",
            ".B \(commands.program)", ".I command", "[\\fIoptions\\fR]",
            ".SH DESCRIPTION",
            "Each command explains itself with \\fB\\-\\-help\\fR. Options count over environment variables, and these over defaults.",
            ".SH COMMANDS",
        ]
        for spec in commands.specs { lines += Self.section(spec, of: commands.program) }
        lines += [".SH ENVIRONMENT"] + environment
        lines += [".SH EXIT STATUS"]
        for (code, meaning) in commands.exitCodes {
            lines += [".TP", ".B \(code.rawValue)", Self.escaped(meaning)]
        }
        lines += [".SH EXAMPLES"] + commands.examples.flatMap(Self.example)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ spec: CommandSpec, of program: String) -> [String] {
        var lines = [
            ".SS \"\(escaped(String(spec.usage(program: program).dropFirst("Usage: ".count))))\"",
            escaped(spec.about.summary),
        ]
        for paragraph in spec.about.discussion.split(separator: "\n\n") {
            lines += [".PP", escaped(paragraph.split(whereSeparator: \.isNewline).joined(separator: " "))]
        }
        for argument in spec.positionals + spec.options {
            let name = argument.kind == .positional ? "\\fI\(escaped(argument.name))\\fR" : optionName(argument)
            lines += [".TP", name, escaped(argument.fullHelp)]
        }
        return lines + spec.about.examples.flatMap(example)
    }

    private static func optionName(_ option: ArgumentSpec) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let long = "\\fB\\-\\-\(option.isNegatable ? "[no\\-]" : "")\(escaped(option.name))\\fR"
        return short + long + (option.kind == .option ? " \\fI\(escaped(option.valueName))\\fR" : "")
    }

    private static func example(_ example: CommandDescription.Example) -> [String] {
        let explanation = example.explanation.isEmpty ? [] : [".PP", escaped(example.explanation)]
        return explanation + [".PP", ".RS 4", ".nf", escaped(example.line), ".fi", ".RE"]
    }

    /// Every variable once, as the first command that has it describes it.
    private var environment: [String] {
        var seen: Set<String> = []
        var described: [(variable: String, help: String)] = []
        for argument in commands.specs.flatMap({ $0.positionals + $0.options }) {
            guard let variable = argument.environment, seen.insert(variable).inserted else { continue }
            described.append((variable, argument.help))
        }
        described.sort { $0.variable < $1.variable }
        return described.flatMap { [".TP", ".B " + $0.variable, Self.escaped($0.help)] }
    }

    /// Text that means itself: a backslash, a dash and, at the start of a line, a dot or an apostrophe mean more to troff.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
