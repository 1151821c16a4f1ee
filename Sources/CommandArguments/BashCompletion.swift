/// Completion for bash, by `complete -F`; see "Programmable Completion" in its manual.
struct BashCompletion {
    let commands: CommandSet

    /// The script.
    var text: String {
        let program = commands.program
        let specs = commands.specs
        let groups = Dictionary(grouping: specs.filter { $0.name.contains(" ") }) { $0.name.prefix { $0 != " " } }
        let names = commands.firstWords.joined(separator: " ")
        let groupCases = groups.keys.sorted().map { group in
            let members = (groups[group] ?? []).map { String($0.name.dropFirst(group.count + 1)) }.joined(
                separator: " "
            )
            return
                "        \(group)) [[ $COMP_CWORD -eq 2 ]] && words='\(members)'; command=\"\(group) ${COMP_WORDS[2]}\" ;;"
        }
        return """
            # bash completion for \(program), as '\(program) completion bash' prints it.
            _\(program)() {
                local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words='' command=${COMP_WORDS[1]}
                COMPREPLY=()
                if [[ $COMP_CWORD -eq 1 ]]; then
                    mapfile -t COMPREPLY < <(compgen -W '\(names) help --help --version' -- "$word")
                    return
                fi
                case $command in
                    help) [[ $COMP_CWORD -eq 2 ]] && words='\(names)' ;;
            \(groupCases.joined(separator: "\n"))
                esac
                if [[ -z $words ]]; then
                    case "$command $previous" in
            \(specs.flatMap(valueCases).joined(separator: "\n"))
                    esac
                    case $command in
            \(specs.map(optionCase).joined(separator: "\n"))
                    esac
                fi
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            }
            complete -o bashdefault -F _\(program) \(program)

            """
    }

    /// What may follow an option: one of a few words, a file, or nothing that could be known.
    private func valueCases(_ spec: CommandSpec) -> [String] {
        spec.options.filter { $0.kind == .option }.map { option in
            let names = (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? []))
            let patterns = names.map { "'\(spec.name) \($0)'" }.joined(separator: "|")
            let answer =
                option.takesPath
                ? "mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return"
                : option.choices.isEmpty ? "return" : "words='\(option.choices.joined(separator: " "))'"
            return "            \(patterns)) \(answer) ;;"
        }
    }

    private func optionCase(_ spec: CommandSpec) -> String {
        let options = (spec.options.flatMap(\.completionNames) + ["--help"]).joined(separator: " ")
        let choices = spec.positionals.flatMap(\.choices).joined(separator: " ")
        let rest = choices.isEmpty ? "" : "; [[ $word != -* ]] && words=${words:-'\(choices)'}"
        return "            '\(spec.name)') [[ $word == -* ]] && words=${words:-'\(options)'}\(rest) ;;"
    }
}

extension CommandSet {
    /// The first words of the commands, each once, in order.
    var firstWords: [String] {
        var seen: Set<String> = []
        return specs.map { String($0.name.prefix { $0 != " " }) }.filter { seen.insert($0).inserted }
    }
}

extension ArgumentSpec {
    /// The long names by which it is given.
    var completionNames: [String] { ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) }
}
