import CommandArguments
import EventLoop
import Foundation
import TodoMate
import TodoMateClient

/// A server that a command works at, and who works there.
struct ServerPlace: Sendable {
    let address: ServerAddress
    private let token: String?
    /// Who has signed in; nil where the server is asked whose the token is.
    private let user: String?
    private let environment: [String: String]

    /// The server of a login.
    ///
    /// - Parameter tokenFile: holds another token; nil for that of the login.
    init(_ login: KeptLogin, tokenFile: String?, _ environment: [String: String]) throws(CommandError) {
        guard let address = ServerAddress(login.server) else {
            throw CommandError("the login names no server: 'todomate login' writes it anew", exitCode: .config)
        }
        (self.address, self.environment) = (address, environment)
        if let tokenFile {
            (token, user) = (try Self.token(tokenFile), nil)
        } else {
            (token, user) = (login.token, login.user)
        }
    }

    /// A server that is named, with the token of a file or, where the login is at that server, of the login. Without either, nobody is
    /// signed in: a server without sign-in takes that.
    init(_ address: ServerAddress, tokenFile: String?, _ environment: [String: String]) throws(CommandError) {
        (self.address, self.environment) = (address, environment)
        if let tokenFile {
            (token, user) = (try Self.token(tokenFile), nil)
        } else if let login = try KeptLogin.read(environment), login.server == address.description {
            (token, user) = (login.token, login.user)
        } else {
            (token, user) = (nil, nil)
        }
    }

    private static func token(_ path: String) throws(CommandError) -> String {
        let lines = try SecretFile.lines(path)
        guard lines.count == 1 else {
            throw CommandError("the token file \(path) has more than one line", exitCode: .config)
        }
        return lines[0]
    }

    /// Runs `body` with the todos there, and closes the connections afterwards.
    @LoopActor
    func withClient<Result: Sendable>(
        as viewer: String? = nil,
        _ body: @LoopActor (TodoClient) async throws -> Result
    ) async throws -> Result {
        let client = TodoClient(server: address.url, uid: try await owner(viewer), credentials: FixedToken(token))
        defer { client.close() }
        return try await body(client)
    }

    /// As ``withClient(as:_:)``, with what is kept from one run to the next, so that no network is needed.
    ///
    /// - Parameters:
    ///   - viewer: who works there, where nobody needs to sign in.
    ///   - isWritten: whether something is kept at all.
    ///   - body: given also why nothing is kept, where that cannot be; the client then needs the network.
    @LoopActor
    func withKeptClient<Result: Sendable>(
        as viewer: String?,
        isWritten: Bool,
        _ body: @LoopActor (TodoClient, _ notKept: String?) async throws -> Result
    ) async throws -> Result {
        let uid = try await owner(viewer)
        let (client, notKept) = isWritten ? keptClient(uid) : (nil, nil)
        let used =
            client
            ?? TodoClient(server: address.url, uid: uid, heartbeat: Self.heartbeat, credentials: FixedToken(token))
        defer { used.close() }
        return try await body(used, notKept)
    }

    /// Somebody looks at the board, who is to know soon that it is not live any more.
    private static let heartbeat = Duration.seconds(3)

    @LoopActor
    private func keptClient(_ uid: String) -> (TodoClient?, String?) {
        do {
            let file = try KeptTodos(of: uid, at: address, environment)
            try file.prepare()
            return (
                try TodoClient(
                    server: address.url,
                    uid: uid,
                    heartbeat: Self.heartbeat,
                    credentials: FixedToken(token),
                    keepingIn: file.path
                ), nil
            )
        } catch let error as CommandError {
            return (nil, error.message)
        } catch {
            return (nil, "\(error)")
        }
    }

    /// Whose the token is, as the server says.
    func holder() async throws(SignInError) -> TokenHolder { try await TodoClient.holder(of: token, at: address.url) }

    /// Who works there: whoever has signed in, or where nobody needs to, whoever they say they are.
    private func owner(_ viewer: String?) async throws -> String {
        if let user { return user }
        let holder: TokenHolder
        do throws(SignInError) {
            holder = try await self.holder()
        } catch {
            // Where nobody signed in before, whoever has something here is believed until the server says otherwise.
            guard case .unavailable = error, token == nil, let viewer,
                let file = try? KeptTodos(of: viewer, at: address, environment), file.exists
            else { throw error }
            return viewer
        }
        switch holder {
        case .user(let uid): return uid
        case .anyone: return viewer ?? "anyone"
        case .nobody:
            throw CommandError(
                token == nil
                    ? "nobody is signed in at \(address): 'todomate login \(address)', or give a token with --token-file"
                    : "\(address) does not take this token: it has ended, or is for another server",
                exitCode: .config
            )
        }
    }
}
