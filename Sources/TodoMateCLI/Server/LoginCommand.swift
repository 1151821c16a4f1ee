import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateClient

/// `todomate login`
struct LoginCommand: Command {
    static let about = CommandDescription(
        name: "login",
        summary: "Sign in to a server, so that commands work there from anywhere.",
        discussion:
            "It asks for the password without showing it (otherwise it is the first line of standard input, and a code of the second factor "
            + "the next one), makes a token that the list of your sign-ins shows by its name, and keeps it in "
            + "~/.config/todomate/login.json, which nobody else can read. The password is kept nowhere. Commands work there from then on, "
            + "unless they name another server or a Redis; 'todomate logout' ends the token, but for one of --token, which other machines may have.",
        examples: [
            .init("todomate login https://todo.example.org --user alice"),
            .init("todomate login https://todo.example.org --token < token.txt", "With a token that there is already."),
        ]
    )

    @Positional("server", as: .serverAddress, environment: "TODOMATE_SERVER", help: "Where the server is.")
    private var server: ServerAddress
    @Option("user", short: "u", as: .user, environment: "TODOMATE_USER", help: "Who signs in; asked for without it.")
    private var user: String?
    @Option("name", as: .text, help: "What the token is called; by default after this machine.")
    private var name: String?
    @Option(
        "days",
        as: .integer(in: 1...3650),
        default: 90,
        valueName: "number",
        help: "For how many days the token is good."
    )
    private var days: Int
    @Flag("token", help: "Read a token, made in the page or by 'todomate token', in place of a password.")
    private var readsToken: Bool
    @Flag("insecure", help: "Send the password to another machine without TLS, where everybody on the way can read it.")
    private var isInsecure: Bool
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard !server.isExposed || isInsecure else {
            throw CommandError.usage(server.exposure)
        }
        let before = try? KeptLogin.read(environment)
        let login = readsToken ? try await holderOfToken() : try await signIn()
        let path: String
        do {
            path = try login.write(environment)
        } catch {
            // It would be good for months, and in nobody's hands.
            try? await Self.end(login)
            throw error
        }
        try StandardOutput.write(
            "\(login.user) is signed in at \(server). The token is in \(path); 'todomate logout' "
                + (login.isGiven == true ? "forgets it.\n" : "ends it.\n")
        )
        // So would be the one that was kept so far.
        if let before, before.token != login.token { try? await Self.end(before) }
        if let before, before.user != login.user || before.server != login.server {
            try await LogoutCommand.forget(before, environment)
        }
        return .ok
    }

    private func holderOfToken() async throws -> KeptLogin {
        let token = try PasswordPrompt.secret("Token: ").trimmingCharacters(in: .whitespaces)
        guard case .user(let uid) = try await TodoClient.holder(of: token, at: server.url) else {
            throw CommandError(
                "\(server) does not take this token: it has ended, or is for another server",
                exitCode: .dataError
            )
        }
        guard user == nil || user == uid else {
            throw CommandError("this token is \(uid)'s, not \(user ?? "")'s", exitCode: .dataError)
        }
        return KeptLogin(server: server.description, user: uid, token: token, isGiven: true)
    }

    private func signIn() async throws -> KeptLogin {
        guard try await TodoClient.holder(of: nil, at: server.url) != .anyone else {
            throw CommandError(
                "\(server) runs without sign-in: name it with --server or TODOMATE_SERVER",
                exitCode: .dataError
            )
        }
        let uid = try user ?? PasswordPrompt.line("User: ")
        let password = try PasswordPrompt.secret("Password for \(uid): ")
        let session = try await Self.session(of: uid, password, at: server)
        let token: String
        do {
            token = try await session.makeToken(named: name ?? Self.usualName, days: days, at: server.url)
        } catch {
            try? await TodoClient.signOut(of: server.url, token: session.token)
            throw error
        }
        try? await TodoClient.signOut(of: server.url, token: session.token)
        return KeptLogin(server: server.description, user: session.uid, token: token)
    }

    /// A sign-in, with a code where one is asked for.
    static func session(of uid: String, _ password: String, at server: ServerAddress) async throws -> SignedIn {
        do throws(SignInError) {
            return try await TodoClient.signIn(to: server.url, as: uid, password: password)
        } catch .codeNeeded {
            let code = try PasswordPrompt.line("Code of your app, or a recovery code: ")
            return try await TodoClient.signIn(to: server.url, as: uid, password: password, code: code)
        }
    }

    /// What the token of this machine is called.
    static var usualName: String { WritingDevice.thisCommand?.description ?? "todomate" }

    /// Ends the token of a login at its server, unless it was there before.
    static func end(_ login: KeptLogin) async throws {
        guard login.isGiven != true, let address = ServerAddress(login.server) else { return }
        try await TodoClient.signOut(of: address.url, token: login.token)
    }
}
