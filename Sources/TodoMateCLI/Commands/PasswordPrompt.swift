import CommandArguments
import Foundation
import TodoMate

/// Asks for a password: without echo on a terminal, twice; otherwise one line of standard input.
enum PasswordPrompt {
    static let explanation =
        "The password is prompted for on a terminal, without showing it; otherwise it is the first line of standard input. It must "
        + "have at least \(PasswordRule.shortest) characters, and not be the user's name."

    static func read(for user: String, prompt: String? = nil) throws -> String {
        let password = try secret(prompt ?? "Password for \(user): ")
        do throws(TodoError) {
            try PasswordRule.check(password, of: user)
        } catch {
            throw CommandError("\(error)", exitCode: .dataError)
        }
        if isTerminal, try secret("The same again: ") != password {
            throw CommandError("the two passwords differ: try again", exitCode: .dataError)
        }
        return password
    }

    private static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// One line of standard input, with a prompt on a terminal.
    static func line(_ prompt: String) throws -> String {
        if isTerminal { FileHandle.standardError.write(Data(prompt.utf8)) }
        return try read()
    }

    /// One line of standard input; on a terminal with a prompt, and without echo.
    static func secret(_ prompt: String) throws -> String {
        guard isTerminal else { return try read() }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try read() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        FileHandle.standardError.write(Data(prompt.utf8))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return try read()
    }

    private static func read() throws -> String {
        guard let line = readLine() else {
            throw CommandError("nothing was given on standard input", exitCode: .dataError)
        }
        return line
    }
}
