/// Completion for fish, by `complete`; see its page in fish's documentation.
struct FishCompletion {
    let commands: CommandSet

    /// The script.
    var text: String {
        let program = commands.program
        let specs = commands.specs
        let groups = commands.groups
        var lines = [
            "# fish completion for \(program), as '\(program) completion fish' prints it.",
            "complete -c \(program) -f",
            "complete -c \(program) -n __fish_use_subcommand -l help -s h -d 'Show help'",
            "complete -c \(program) -n __fish_use_subcommand -l version -d 'Show the version'",
        ]
        for group in groups {
            lines.append(
                "complete -c \(program) -n __fish_use_subcommand -a \(group.name) -d \(group.summary.shellQuoted)"
            )
            let members = group.members.map(\.name).joined(separator: " ")
            let condition = "__fish_seen_subcommand_from \(group.name); and not __fish_seen_subcommand_from \(members)"
            for member in group.members {
                lines.append(
                    "complete -c \(program) -n \(condition.shellQuoted) -a \(member.name) -d \(member.summary.shellQuoted)"
                )
            }
        }
        for spec in specs {
            let words = spec.name.split(separator: " ")
            let others = groups.first { $0.name == spec.name }?.members.map(\.name) ?? []
            let isOther =
                others.isEmpty ? "" : "; and not __fish_seen_subcommand_from \(others.joined(separator: " "))"
            let isSeen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            let seen = (isSeen + isOther).shellQuoted
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
