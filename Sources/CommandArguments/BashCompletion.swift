/// Completion for bash, by `complete -F`; see "Programmable Completion" in its manual.
struct BashCompletion {
    let commands: CommandSet

    /// The script.
    var text: String {
        let program = commands.program
        let specs = commands.specs
        let names = commands.groups.map(\.name).joined(separator: " ")
        let groupCases = commands.groups.filter { !$0.members.isEmpty }.map { group in
            let members = group.members.map(\.name).joined(separator: " ")
            // What is no member is an argument of the command of that name.
            guard !group.isCommand else {
                return
                    "        \(group.name)) [[ $COMP_CWORD -eq 2 && $word != -* ]] && words='\(members)'; "
                    + "[[ ' \(members) ' == *\" ${COMP_WORDS[2]} \"* ]] && command=\"\(group.name) ${COMP_WORDS[2]}\" ;;"
            }
            return
                "        \(group.name)) [[ $COMP_CWORD -eq 2 ]] && words='\(members)'; command=\"\(group.name) ${COMP_WORDS[2]}\" ;;"
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

    /// The values of an option: some words, files, or none that are known.
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
