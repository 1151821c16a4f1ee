import CommandArguments
import EventLoop
import TodoMateRedis

extension CommandError {
    /// A command is about somebody who has no account.
    static func noAccount(_ user: String) -> CommandError {
        CommandError("\(user) has no account: make one with 'todomate user add \(user)'", exitCode: .dataError)
    }
}

extension RedisTodoRepository {
    /// - Throws: a `CommandError` when the user has no account.
    @LoopActor
    func checkAccount(of user: String) async throws {
        guard try await accounts.passwordHash(of: user) != nil else { throw CommandError.noAccount(user) }
    }
}
