/// Completion for zsh, by `_arguments`; see zshcompsys(1).
struct ZshCompletion {
    let commands: CommandSet

    /// The script.
    var text: String {
        let program = commands.program
        let specs = commands.specs
        let list = commands.groups.map { described($0.name, $0.summary) }
        let groupCases = commands.groups.filter { !$0.members.isEmpty }.map { group in
            let words = group.members.map { described($0.name, $0.summary) }
            // What is no member is an argument of the command of that name.
            guard !group.isCommand else {
                return """
                        \(group.name))
                            if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
                                local -a members=(\(words.joined(separator: " ")))
                                _describe command members
                                return
                            fi
                            case $words[3] in
                                \(group.members.map(\.name).joined(separator: "|")))
                                    command="\(group.name) $words[3]"
                                    words=($words[1] $words[3,-1]); (( CURRENT-- )) ;;
                            esac ;;
                    """
            }
            return """
                    \(group.name))
                        if (( CURRENT == 3 )); then
                            local -a members=(\(words.joined(separator: " ")))
                            _describe command members
                            return
                        fi
                        command="\(group.name) $words[3]"
                        words=($words[1] $words[3,-1]); (( CURRENT-- )) ;;
                """
        }
        return """
            #compdef \(program)
            # zsh completion for \(program), as '\(program) completion zsh' prints it.
            _\(program)() {
                local -a commands=(
                    \(list.joined(separator: "\n        "))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                case $command in
                    help) _describe command commands; return ;;
            \(groupCases.joined(separator: "\n"))
                esac
                words=($words[2,-1]); (( CURRENT-- ))
                case $command in
            \(specs.map(commandCase).joined(separator: "\n"))
                esac
            }
            if [[ $funcstack[1] == _\(program) ]]; then _\(program) "$@"; else compdef _\(program) \(program); fi

            """
    }

    private func described(_ word: String, _ summary: String) -> String {
        "\(word):\(summary.replacing(":", with: "\\:"))".shellQuoted
    }

    private func commandCase(_ spec: CommandSpec) -> String {
        let options = spec.options.flatMap(option)
        let positionals = spec.positionals.map { argument in
            let many = argument.isRepeating ? "*" : ""
            return "\(many):\(escaped(argument.name)):\(action(argument))".shellQuoted
        }
        let all = options + ["'--help[Show help]'"] + positionals
        return "        '\(spec.name)') _arguments \(all.joined(separator: " ")) ;;"
    }

    private func option(_ option: ArgumentSpec) -> [String] {
        let names = option.completionNames + (option.short.map { ["-\($0)"] } ?? [])
        let help = "[\(escaped(option.help))]"
        let value = option.kind == .flag ? "" : ":\(escaped(option.valueName)):\(action(option))"
        return names.map { (name: String) in
            "\(name)\(help)\(value)".shellQuoted
        }
    }

    private func action(_ argument: ArgumentSpec) -> String {
        argument.takesPath ? "_files" : argument.choices.isEmpty ? " " : "(\(argument.choices.joined(separator: " ")))"
    }

    /// Text whose colons and brackets are taken literally.
    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += ":[]\\".contains($1) ? "\\\($1)" : String($1) }
    }
}
