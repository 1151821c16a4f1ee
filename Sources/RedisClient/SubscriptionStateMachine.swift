/// Whether one channel is subscribed, as far as Redis has confirmed it: the reasoning of a subscription, without I/O.
///
/// Redis confirms in the order of the requests, so a request that was overtaken by its opposite is recognised by
/// counting the confirmations still due.
struct SubscriptionStateMachine: Equatable {
    enum Action: Equatable {
        case nothing
        case sendSubscribe
        case sendUnsubscribe
        /// Messages from now on are all the messages there are.
        case announceOpen
        /// Nobody wants the channel and Redis knows it: forget it.
        case forget
    }

    private enum State { case opening, active, closing }

    private var state = State.opening
    /// Confirmations of requests that were taken back since.
    private var staleConfirmations = 0

    /// Whether a message that arrives now is wanted.
    var isActive: Bool { state == .active }

    /// Somebody wants the channel.
    mutating func open(isConnected: Bool) -> Action {
        switch state {
        case .active: return .nothing
        case .opening: return isConnected ? .sendSubscribe : .nothing
        case .closing:
            state = .opening
            // The UNSUBSCRIBE under way will be confirmed first.
            staleConfirmations += 1
            return .sendSubscribe
        }
    }

    /// Nobody wants it any more.
    mutating func close(isConnected: Bool) -> Action {
        guard isConnected else { return .forget }
        if state == .closing { return .nothing }
        if state == .opening { staleConfirmations += 1 }
        state = .closing
        return .sendUnsubscribe
    }

    /// Redis confirmed the oldest request for this channel, be it SUBSCRIBE or UNSUBSCRIBE.
    mutating func confirmed() -> Action {
        if staleConfirmations > 0 {
            staleConfirmations -= 1
            return .nothing
        }
        switch state {
        case .opening:
            state = .active
            return .announceOpen
        case .closing: return .forget
        case .active: return .nothing
        }
    }

    /// The connection is new: Redis knows of no subscription.
    mutating func reconnected() -> Action {
        staleConfirmations = 0
        if state == .closing { return .forget }
        state = .opening
        return .sendSubscribe
    }

    /// The connection is gone, and what it would have confirmed with it.
    mutating func disconnected() -> Action {
        staleConfirmations = 0
        if state == .closing { return .forget }
        state = .opening
        return .nothing
    }
}
