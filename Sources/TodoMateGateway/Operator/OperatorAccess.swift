import EventLoop
import HTTPServing
import TodoMate

/// Lets operators pass: people who have signed in, and whose account has the role at the time of asking.
@LoopActor
struct OperatorAccess {
    private let authenticator: Authenticator
    private let store: any OperatorStoreType

    init(_ authenticator: Authenticator, _ store: any OperatorStoreType) {
        (self.authenticator, self.store) = (authenticator, store)
    }

    /// Who asks.
    ///
    /// - Parameter write: what it costs of their budgets.
    func check(_ request: HTTPRequest, toWrite write: UserBudgets.Write) async throws -> String {
        let principal = try await authenticator.principal(of: request)
        guard let uid = principal.uid else { throw Authenticator.withoutAccounts }
        try await authenticator.authorize(request, for: uid, toWrite: write)
        // Nothing of it is believed for a while: taken away, the role ends at once.
        guard try await store.role(of: uid) == .operator else {
            throw Problem(.forbidden, "only an operator of this installation may do this")
        }
        return uid
    }
}
