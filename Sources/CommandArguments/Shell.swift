/// A shell that can complete command lines.
public enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script that teaches the shell a program's commands.
    public func script(for commands: CommandSet) -> String {
        switch self {
        case .bash: BashCompletion(commands: commands).text
        case .zsh: ZshCompletion(commands: commands).text
        case .fish: FishCompletion(commands: commands).text
        }
    }
}

extension ArgumentSpec {
    /// Whether a value is the path of a file or a folder.
    var takesPath: Bool { ["file", "folder", "path"].contains(kind == .positional ? name : valueName) }
}

extension String {
    /// The text as one word of a shell, which all three read the same way.
    var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
