import CommandArguments
import EventLoop
import TodoMate
import TodoMateRedis

/// The accounts that an operator's command is about, one or many.
struct AccountUsers: Sendable {
    @Positional(.account) private var first: String
    @Positional(repeating: "more", as: .user, help: "Others, for whom the same is done.") private var rest: [String]

    /// Each once, in their order.
    var all: [String] { ([first] + rest).uniqued }

    /// Refuses a name that nobody has before anything is done for another one.
    @LoopActor
    func check(in repository: RedisTodoRepository) async throws {
        let users = all
        guard users.count > 1 else { return }
        let known = Set(try await repository.operators.summaries(of: users).map(\.uid))
        if let unknown = users.first(where: { !known.contains($0) }) { throw CommandError.noAccount(unknown) }
    }
}
