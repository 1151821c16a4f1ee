import CommandArguments
import Foundation

/// The options of every command that works with people's todos: beside Redis, or at a server from anywhere.
struct StoreOptions: Sendable {
    @Option(
        "server",
        as: .serverAddress,
        valueName: "url",
        environment: "TODOMATE_SERVER",
        help:
            "The server to work at over HTTP, such as https://todo.example.org; by default the one of 'todomate login', unless a Redis is named."
    )
    private var server: ServerAddress?
    @Option(
        "token-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_TOKEN_FILE",
        help: "Reads the token for the server from here, in place of the one that 'todomate login' keeps."
    )
    private var tokenFile: String?
    @Flag(
        "insecure",
        environment: "TODOMATE_INSECURE",
        help: "Sends that token to another machine also without TLS, where everybody on the way can read it."
    )
    private var isInsecure: Bool
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    /// Where the todos are. What a flag names counts more than the environment, and that more than what is found: a Redis in
    /// `TODOMATE_DATA`, the login, a `todomate up` in this folder, and Redis where it is usually.
    func place() throws -> StorePlace {
        switch try choice() {
        case .server(let address):
            guard tokenFile == nil || isInsecure || !address.isExposed else {
                throw CommandError.usage(address.exposure)
            }
            return .server(try ServerPlace(address, tokenFile: tokenFile, environment))
        case .login(let login): return .server(try ServerPlace(login, tokenFile: tokenFile, environment))
        case .redis:
            guard tokenFile == nil || isSet("TODOMATE_TOKEN_FILE") else {
                throw CommandError.usage("--token-file is for a server: name one with --server, or leave it out")
            }
            return .redis(try redis.place())
        }
    }

    private enum Choice {
        case server(ServerAddress)
        case login(KeptLogin)
        case redis
    }

    private func choice() throws -> Choice {
        let isServerFlag =
            server != nil
            && server?.description != environment["TODOMATE_SERVER"].flatMap { ServerAddress($0)?.description }
        let isRedisFlag = redis.isNamedByFlag
        switch (server, redis.isNamed) {
        case (_?, true) where isServerFlag == isRedisFlag:
            throw CommandError(
                isServerFlag
                    ? "give one of --server and --redis"
                    : "TODOMATE_SERVER and TODOMATE_REDIS are both set: unset one, or say which with --server or --redis",
                exitCode: isServerFlag ? .usage : .config
            )
        case (let server?, true) where isServerFlag: return .server(server)
        case (_, true): return .redis
        case (let server?, false): return .server(server)
        case (nil, false):
            guard !isSet(DataDirectory.variable), let login = try KeptLogin.read(environment) else { return .redis }
            return .login(login)
        }
    }

    private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
}
