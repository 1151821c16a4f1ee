import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate

/// `todomate logout`
struct LogoutCommand: Command {
    static let about = CommandDescription(
        name: "logout",
        summary: "End the token of 'todomate login', and forget it.",
        discussion:
            "What 'todomate watch' kept here is deleted, too. Where changes wait in it that the server does not have, it asks first, or "
            + "needs --force. Without the server, nothing is forgotten, as the token would live on; --forget does so all the same. A token of "
            + "'login --token' is only forgotten here, as other machines may have it.",
        examples: [.init("todomate logout")]
    )

    @Flag("forget", help: "Forget the token also where the server cannot be told to end it.") private var forgets: Bool
    @Flag("force", short: "f", help: "Delete changes that were never sent, without asking.") private var isForced: Bool
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard let login = try KeptLogin.read(environment) else {
            try StandardOutput.write("Nobody is signed in.\n")
            return .ok
        }
        let kept = try Self.kept(of: login, environment)
        try await agree(to: kept)
        do {
            try await LoginCommand.end(login)
        } catch  where forgets {
            let line = "todomate: the token was not ended, and is good until then: \(error)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        try await kept?.remove()
        try KeptLogin.remove(environment)
        let rest =
            login.isGiven == true
            ? " here. The token is still good elsewhere: My account and 'todomate session end' end it.\n" : ".\n"
        try StandardOutput.write("\(login.user) is signed out of \(login.server)\(rest)")
        return .ok
    }

    /// What is kept of somebody who is signed in; nil for nothing.
    private static func kept(of login: KeptLogin, _ environment: [String: String]) throws -> KeptTodos? {
        guard let address = ServerAddress(login.server) else { return nil }
        let kept = try KeptTodos(of: login.user, at: address, environment)
        return kept.exists ? kept : nil
    }

    /// Deletes what is kept of somebody in whose place another has signed in, but for changes that were never sent.
    @LoopActor
    static func forget(_ login: KeptLogin, _ environment: [String: String]) throws {
        guard let kept = try kept(of: login, environment) else { return }
        do throws(TodoError) {
            if try kept.unsent() == 0 { return try kept.remove() }
        } catch {
            FileHandle.standardError.write(Data("todomate: \(error)\n".utf8))
        }
        let line =
            "todomate: \(kept.path) has changes of \(login.user) that were never sent, and stays until they are\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Asks whether changes may be lost that were never sent.
    @LoopActor
    private func agree(to kept: KeptTodos?) throws {
        guard let kept, !isForced else { return }
        let count: Int
        do throws(TodoError) {
            count = try kept.unsent()
        } catch {
            throw CommandError("\(error); --force deletes it all the same", exitCode: .dataError)
        }
        guard count > 0 else { return }
        let what = count == 1 ? "1 change was never sent" : "\(count) changes were never sent"
        let advice = "'todomate watch' sends them"
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError("\(what): \(advice), --force deletes them", exitCode: .dataError)
        }
        let answer = try PasswordPrompt.line("\(what) (\(advice)). Delete them and sign out? [y/N] ")
        guard ["y", "yes"].contains(answer.lowercased()) else {
            throw CommandError("nothing was deleted, and \(kept.owner) is still signed in", exitCode: .dataError)
        }
    }
}
