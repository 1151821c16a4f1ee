import CommandArguments
import Foundation
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate token`
struct TokenCommand: Command {
    static let about = CommandDescription(
        name: "token",
        summary: "Print a bearer token with which a program acts as a user.",
        discussion:
            "It is signed with the secret of the workers (TODOMATE_SECRET or TODOMATE_SECRET_FILE), and appears in the list of the "
            + "user's sessions, under its name: 'todomate session end' ends it, and so does a new password. The user must have an "
            + "account, and can have 100 tokens at a time.",
        examples: [
            .init("todomate token alice --ttl 30d --scope read --name \"backup script\""),
            .init(
                "curl -H \"Authorization: Bearer $(todomate token alice --ttl 1h)\" http://localhost:8080/v1/users/alice/todos"
            ),
        ]
    )

    @Positional("user", as: .user, help: "The user that the program acts as.") private var user: String
    @Option(
        "ttl",
        as: .lifetime,
        default: .seconds(30 * 86_400),
        valueName: "time",
        help: "How long it is valid: 90s, 15m, 12h or 30d."
    )
    private var lifetime: Duration
    @Option(
        "name",
        as: .text,
        valueName: "text",
        help: "What the token is for, as 'todomate session list' shows it."
    )
    private var name: String?
    @Option(
        "scope",
        as: .choice(of: TokenScope.self),
        default: .write,
        valueName: "scope",
        help:
            "What it may do: feed (feeds and event streams alone), read, or write. None of them reaches passwords, sessions or the end of the account."
    )
    private var scope: TokenScope
    private let secret = SecretOptions()
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let redis = try redis.place()
        guard let signer = try secret.signer() else {
            throw CommandError("give the workers' secret in TODOMATE_SECRET or TODOMATE_SECRET_FILE", exitCode: .config)
        }
        let seconds = Int(lifetime / .seconds(1))
        let draft = SessionDraft(id: RandomID.next(), kind: .token, seconds: seconds, name: name, scope: scope)
        let expiry = Date() + lifetime / .seconds(1)
        let generation = try await redis.withRepository { try await $0.sessions.begin(draft, of: user) }
        let token = SessionToken(
            uid: user,
            expiry: expiry,
            id: draft.id,
            generation: generation,
            scope: .token(scope)
        )
        let shown = String(draft.id.prefix(SessionEndCommand.shownID))
        Logger.account.info(
            "token made",
            ["uid": user, "session": shown, "seconds": String(seconds), "scope": scope.rawValue]
        )
        try StandardOutput.write(signer.sign(token) + "\n")
        return .ok
    }
}

extension ValueParser where Value == Duration {
    /// A time of whole seconds, minutes, hours or days: `90s`, `15m`, `12h`, `30d`.
    static var lifetime: Self {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        return Self(describe: { "\(Int($0 / .seconds(86_400)))d" }) { text in
            guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
                (1...100_000).contains(number)
            else { throw InvalidValue(expectation: "a time such as 90s, 15m, 12h or 30d") }
            return .seconds(number * unit)
        }
    }
}
