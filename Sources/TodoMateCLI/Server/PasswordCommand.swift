import CommandArguments
import Foundation
import TodoMate
import TodoMateClient

/// `todomate password`
struct PasswordCommand: Command {
    static let about = CommandDescription(
        name: "password",
        summary: "Change your password at the server where you are signed in.",
        discussion:
            "It asks for the password of now and twice for the new one without showing them; otherwise they are the first two lines of "
            + "standard input, and a code of the second factor, where there is one, stands between them. All other sign-ins and all tokens end, "
            + "and this machine gets a new token in place of its own. Operators set anybody's password beside Redis: 'todomate user passwd'.",
        examples: [.init("todomate password")]
    )

    @Option(
        "days",
        as: .integer(in: 1...3650),
        default: 90,
        valueName: "number",
        help: "For how many days the new token of this machine is good."
    )
    private var days: Int
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard let before = try KeptLogin.read(environment), let server = ServerAddress(before.server) else {
            throw CommandError("nobody is signed in: 'todomate login' first", exitCode: .config)
        }
        let current = try PasswordPrompt.secret("Password of now: ")
        let session = try await LoginCommand.session(of: before.user, current, at: server)
        let changed: SignedIn
        do {
            let new = try PasswordPrompt.read(for: before.user, prompt: "New password: ")
            changed = try await session.changePassword(from: current, to: new, at: server.url)
        } catch {
            try? await TodoClient.signOut(of: server.url, token: session.token)
            throw error
        }
        var made: KeptLogin?
        do {
            let token = try await changed.makeToken(named: LoginCommand.usualName, days: days, at: server.url)
            let login = KeptLogin(server: before.server, user: before.user, token: token)
            made = login
            try login.write(environment)
        } catch {
            // Nothing is to be good that is in nobody's hands.
            if let made { try? await LoginCommand.end(made) }
            try? await TodoClient.signOut(of: server.url, token: changed.token)
            throw CommandError(
                "the password is changed, but this machine has no token any more: 'todomate login' again (\(error))",
                exitCode: .unavailable
            )
        }
        try? await TodoClient.signOut(of: server.url, token: changed.token)
        try StandardOutput.write(
            "\(before.user) has a new password at \(server); all other sign-ins and tokens have ended.\n"
        )
        return .ok
    }
}
