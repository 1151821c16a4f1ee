/// Completion for fish, by `complete`; see its page in fish's documentation.
struct FishCompletion {
    let commands: CommandSet

    /// The script.
    var text: String {
        let program = commands.program
        let specs = commands.specs
        var lines = [
            "# fish completion for \(program), as '\(program) completion fish' prints it.",
            "complete -c \(program) -f",
            "complete -c \(program) -n __fish_use_subcommand -l help -s h -d 'Show help'",
            "complete -c \(program) -n __fish_use_subcommand -l version -d 'Show the version'",
        ]
        for word in commands.firstWords {
            let summary = specs.first { $0.name == word }?.about.summary ?? "Commands about \(word)s."
            lines.append("complete -c \(program) -n __fish_use_subcommand -a \(word) -d \(summary.shellQuoted)")
        }
        for spec in specs {
            let words = spec.name.split(separator: " ")
            if words.count == 2 {
                let members = specs.filter { $0.name.hasPrefix(words[0] + " ") }.map {
                    $0.name.split(separator: " ")[1]
                }
                let condition = "__fish_seen_subcommand_from \(words[0]); and not __fish_seen_subcommand_from"
                lines.append(
                    "complete -c \(program) -n \("\(condition) \(members.joined(separator: " "))".shellQuoted) "
                        + "-a \(words[1]) -d \(spec.about.summary.shellQuoted)"
                )
            }
            let seen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ").shellQuoted
            lines += spec.options.map { "complete -c \(program) -n \(seen) " + option($0) }
            for choices in spec.positionals.map(\.choices) where !choices.isEmpty {
                lines.append("complete -c \(program) -n \(seen) -a \(choices.joined(separator: " ").shellQuoted)")
            }
            if spec.positionals.contains(where: \.takesPath) { lines.append("complete -c \(program) -n \(seen) -F") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func option(_ option: ArgumentSpec) -> String {
        var words = ["-l \(option.name)"]
        if let short = option.short { words.append("-s \(short)") }
        if option.kind == .option {
            words.append(option.takesPath ? "-r -F" : "-x")
            if !option.choices.isEmpty { words.append("-a \(option.choices.joined(separator: " ").shellQuoted)") }
        }
        return (words + ["-d \(option.help.shellQuoted)"]).joined(separator: " ")
    }
}
