import EventLoop
import TodoMate

/// What the routes of signing in by providers work with.
@LoopActor
struct ProviderDoor {
    let providers: Providers
    let stores: Stores
    let signIn: SignIn
    let budgets: SharedJoinBudgets
    let authenticator: Authenticator
    let log: Logger

    /// Nil in a server without providers or without sign-in.
    init?(
        _ providers: Providers?,
        _ stores: Stores,
        _ signIn: SignIn?,
        _ budgets: SharedJoinBudgets,
        _ authenticator: Authenticator,
        _ log: Logger
    ) {
        guard let providers, let signIn else { return nil }
        (self.providers, self.stores, self.signIn, self.budgets) = (providers, stores, signIn, budgets)
        (self.authenticator, self.log) = (authenticator, log)
    }
}
