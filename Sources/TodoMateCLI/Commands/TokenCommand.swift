import Foundation
import TodoMate
import TodoMateGateway

/// `todomate token`
struct TokenCommand: Command {
    private static let lifetime = Option(
        "ttl",
        as: .lifetime,
        default: .seconds(30 * 86_400),
        valueName: "time",
        help: "How long it is valid: 90s, 15m, 12h or 30d."
    )

    private static let user = Positional("user", as: .user, help: "As whom the program acts.")

    static let spec = CommandSpec(
        name: "token",
        summary: "Print a bearer token with which a program acts as a user.",
        discussion:
            "It is signed with the secret of the workers (TODOMATE_SECRET or TODOMATE_SECRET_FILE) and needs no Redis. It cannot be taken back "
            + "before it ends, except by changing the secret.",
        positionals: [user],
        options: [lifetime, GatewayOptions.secret, GatewayOptions.secretFile],
        examples: [
            .init("todomate token alice --ttl 30d"),
            .init(
                "curl -H \"Authorization: Bearer $(todomate token alice --ttl 1h)\" http://localhost:8080/v1/users/alice/todos"
            ),
        ]
    )

    private let token: SessionToken
    private let signer: TokenSigner

    init(_ arguments: ParsedArguments) throws {
        let lifetime = try arguments[Self.lifetime]
        token = SessionToken(uid: try arguments[Self.user], expiry: Date() + lifetime / .seconds(1))
        guard let signer = try GatewayOptions.signer(arguments) else {
            throw CommandError("give the workers' secret in TODOMATE_SECRET or TODOMATE_SECRET_FILE", exitCode: .config)
        }
        self.signer = signer
    }

    func run() async throws -> ExitCode {
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
