/// Decides when the one event stream of a board is opened, given up and opened again, without I/O.
///
/// | state | what there is |
/// |---|---|
/// | idle | nobody is watched |
/// | asking | the credential source is asked for a token |
/// | connecting | the request is sent, and no event has come yet |
/// | open | events come |
/// | waiting | a timer runs, after which the stream is opened again |
/// | refused | as waiting, but nothing is expected to change soon; a token or the app's word ends it at once |
/// | closed | nothing follows |
///
/// The shell (``BoardConnection``) reports each event and performs the effects that it answers. What it reports of a stream that was
/// given up meanwhile must not come here: effects begin with ``Effect/disconnect`` then.
struct BoardConnectionStateMachine {
    enum State: Equatable {
        case idle
        /// - Parameter refused: the token that is not taken any more; nil for none.
        case asking(refused: String?)
        case connecting
        case open
        case waiting
        case refused
        case closed
    }

    enum Effect: Equatable {
        /// Asks the credential source for a token, in place of one that was refused.
        case ask(inPlaceOf: String?)
        /// Opens the stream of some users, after a place; nil for a snapshot of each.
        case connect(users: [String], after: String?, token: String?)
        /// Gives the stream up, or the question.
        case disconnect
        /// Starts the timer: a wait that follows so many failures, the first being 0, and at least as long as the server says.
        case wait(afterFailure: Int, atLeast: Duration)
        /// Starts the timer with a long wait.
        case waitLong(atLeast: Duration)
        /// Stops the timer.
        case stopWaiting
        /// Shows how things stand.
        case report(ConnectionStatus)
    }

    /// So many tokens in a row are tried at once.
    private static let mostRefusals = 3

    private(set) var state = State.idle
    private(set) var users: [String] = []
    /// The place that was reached: all before it is applied.
    private(set) var cursor: String?
    private var token: String?
    /// How often in a row a stream ended before it had lasted for a while.
    private var failures = 0
    /// How many tokens in a row were refused before a stream had lasted for a while.
    private var refusals = 0
    /// What the server said of itself with its last heartbeat.
    private var isOutOfTouch = false
    /// How long the server wants its reader to wait.
    private var retry = Duration.zero
    /// How long the server wants not to be asked, since it refused last: not even by somebody who hurries.
    private(set) var notBefore = Duration.zero

    /// - Parameter cursor: the place that was reached by an earlier run.
    init(after cursor: String? = nil) { self.cursor = cursor }

    // MARK: What the app says

    /// These users are watched from now on.
    mutating func watch(_ users: [String]) -> [Effect] {
        guard users != self.users else { return [] }
        self.users = users
        switch state {
        case .closed: return []
        case .asking where !users.isEmpty: return []
        case .idle: return users.isEmpty ? [] : ask(inPlaceOf: nil)
        case .connecting where !users.isEmpty, .open where !users.isEmpty: return [.disconnect] + connect()
        case .waiting where !users.isEmpty, .refused where !users.isEmpty: return []
        case .asking, .connecting, .open:
            state = .idle
            return [.disconnect, .report(.idle)]
        case .waiting, .refused:
            state = .idle
            return [.stopWaiting, .report(.idle)]
        }
    }

    /// The network may be back, or the app be looked at again: nothing waits any longer. While ``notBefore`` lasts, this must not be called.
    ///
    /// - Parameter isStale: whether what the stream has said says nothing of now, so that another one goes on from its place.
    mutating func hurry(isStale: Bool) -> [Effect] {
        switch state {
        case .waiting:
            failures = 0
            return [.stopWaiting] + connect()
        case .refused:
            failures = 0
            return [.stopWaiting] + ask(inPlaceOf: nil)
        case .connecting where isStale, .open where isStale:
            failures = 0
            return [.disconnect] + connect()
        case .idle, .asking, .connecting, .open, .closed: return []
        }
    }

    /// Another token is to be used from now on.
    mutating func credentialsChanged() -> [Effect] {
        (failures, refusals) = (0, 0)
        switch state {
        case .idle, .closed: return []
        case .asking, .connecting, .open: return [.disconnect] + ask(inPlaceOf: nil)
        case .waiting, .refused: return [.stopWaiting] + ask(inPlaceOf: nil)
        }
    }

    /// Nothing follows.
    mutating func close() -> [Effect] {
        defer { state = .closed }
        switch state {
        case .idle, .closed: return []
        case .asking, .connecting, .open: return [.disconnect, .report(.idle)]
        case .waiting, .refused: return [.stopWaiting, .report(.idle)]
        }
    }

    // MARK: What the credential source says

    /// The source has answered; nil where there is no token, or no other one.
    mutating func answered(_ token: String?) -> [Effect] {
        guard case .asking(let refused) = state else { return [] }
        // Without a token a server may still answer that runs without sign-in.
        if let refused, token == nil || token == refused {
            return refuse(.signedOut("the server does not take the token (any more): sign in again"), .zero)
        }
        self.token = token
        return connect()
    }

    // MARK: What the stream says

    /// The server has answered with an error.
    mutating func failed(_ failure: ServerFailure) -> [Effect] {
        guard state == .connecting || state == .open else { return [] }
        notBefore = failure.retryAfter ?? .zero
        switch failure.status {
        case 401:
            refusals += 1
            // A source that always has another one is not asked on and on.
            guard token != nil, refusals < Self.mostRefusals else {
                refusals = 0
                return refuse(.signedOut(failure.detail), failure.retryAfter ?? .zero)
            }
            return ask(inPlaceOf: token)
        case _ where failure.isPassing: return wait(failure.detail, failure.retryAfter ?? .zero)
        case let status? where status >= 500: return wait(failure.detail, failure.retryAfter ?? .zero)
        default: return refuse(.refused(failure.detail), failure.retryAfter ?? .zero)
        }
    }

    /// An event has come, and was applied.
    ///
    /// - Parameters:
    ///   - cursor: the place that it names; nil where it names none.
    ///   - retry: how long to wait before coming back; nil where it does not say.
    ///   - heartbeat: what it says if it is one, and with it that the stream has lasted for a while. Only then is what failed before
    ///     over: a server that ends each stream right after its first event is not asked faster and faster.
    mutating func received(cursor: String?, retry: Duration?, heartbeat: StreamHeartbeat?) -> [Effect] {
        guard state == .connecting || state == .open else { return [] }
        if let cursor { self.cursor = cursor }
        if let retry { self.retry = retry }
        let wasOutOfTouch = isOutOfTouch
        if let heartbeat {
            isOutOfTouch = heartbeat == .outOfTouch
            if !isOutOfTouch { (failures, refusals) = (0, 0) }
        }
        guard state == .connecting || isOutOfTouch != wasOutOfTouch else { return [] }
        state = .open
        return [.report(isOutOfTouch ? .waiting("the server is there, but out of touch with what it serves") : .live)]
    }

    /// The stream has ended.
    mutating func ended(_ reason: String) -> [Effect] {
        guard state == .connecting || state == .open else { return [] }
        return wait(reason, .zero)
    }

    /// Nothing has come for so long that the connection cannot be alive.
    mutating func silent() -> [Effect] {
        guard state == .connecting || state == .open else { return [] }
        return [.disconnect] + wait("nothing came for too long", .zero)
    }

    /// What has come does not fit what was known: everything is read anew.
    mutating func doubted(_ reason: String) -> [Effect] {
        guard state == .connecting || state == .open else { return [] }
        cursor = nil
        return [.disconnect] + wait(reason, .zero)
    }

    /// The timer has fired.
    mutating func waited() -> [Effect] {
        switch state {
        case .waiting: connect()
        // Whoever was signed out may be signed in by now.
        case .refused: ask(inPlaceOf: nil)
        case .idle, .asking, .connecting, .open, .closed: []
        }
    }

    // MARK: Transitions

    private mutating func ask(inPlaceOf refused: String?) -> [Effect] {
        state = .asking(refused: refused)
        return [.report(.connecting), .ask(inPlaceOf: refused)]
    }

    private mutating func connect() -> [Effect] {
        state = .connecting
        isOutOfTouch = false
        (retry, notBefore) = (.zero, .zero)
        return [.report(.connecting), .connect(users: users, after: cursor, token: token)]
    }

    private mutating func wait(_ reason: String, _ least: Duration) -> [Effect] {
        state = .waiting
        defer { failures += 1 }
        return [.report(.waiting(reason)), .wait(afterFailure: failures, atLeast: max(least, retry))]
    }

    private mutating func refuse(_ status: ConnectionStatus, _ least: Duration) -> [Effect] {
        state = .refused
        return [.report(status), .waitLong(atLeast: least)]
    }
}
