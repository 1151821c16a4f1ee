import EventLoop
import TodoMate

extension TodoClient {
    /// Connects and sends at once where it waits to: call it when the network is back, or the app is looked at again. A connection of which
    /// something should have come by now, as after a time in which the app was suspended, is made anew. A server that has said how long to
    /// wait (`Retry-After`) is not asked before that.
    public func hurry() {
        board.hurry()
        offline?.todos.hurry()
    }

    /// Connects, reads what is new and sends what waits: for a background refresh, which the system gives little time.
    ///
    /// A connection that is open is made anew, going on from its place: that something came by it before says nothing of now.
    ///
    /// - Parameter limit: how long it may take at most.
    /// - Returns: whether the server was reached, all of the person's own todos are as it has them, and nothing waits any more, but for what
    ///   it refused.
    public func refresh(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        let timer = LoopTimer { [weak self] in self?.settled.resumeAll() }
        timer.start(after: limit)
        defer { timer.cancel() }
        board.renew()
        offline?.todos.hurry()
        await settle(before: deadline) { isSettled }
        guard isSettled, status == .live else { return false }
        // The first thing that a stream says is not all that it has to say.
        let latest = LatestChange()
        let question = Task {
            latest.answer = .some(try? await online.latestChangeID(of: uid))
            settled.resumeAll()
        }
        defer { question.cancel() }
        await settle(before: deadline) {
            latest.answer != nil && (latest.answer == .some(nil) || isSettled && has(latest))
        }
        return isSettled && status == .live && has(latest)
    }

    /// Waits until it holds, or the time is over; others are resumed with each step on the way there.
    private func settle(before deadline: ContinuousClock.Instant, until holds: () -> Bool) async {
        while !holds(), ContinuousClock.now < deadline {
            await settled.wait { holds() || ContinuousClock.now >= deadline }
        }
    }

    /// Whether there is nothing to wait for: all is done, or nothing will be without somebody who does something about it.
    private var isSettled: Bool {
        switch status {
        case .live: pendingChanges.allSatisfy(\.isRefused)
        case .signedOut, .refused: true
        case .idle: offline == nil
        case .connecting, .waiting: false
        }
    }

    /// Whether the server's latest change is known, and is here where the person's own todos are watched.
    private func has(_ latest: LatestChange) -> Bool {
        guard let id = latest.answer ?? nil else { return false }
        guard board.observedUsers.contains(uid) else { return true }
        return board.share(of: uid).map { $0.id.version >= id.version } ?? false
    }
}

/// The server's latest change.
@LoopActor
private final class LatestChange {
    /// Nil before it was answered; nothing in it where it could not be.
    var answer: ChangeID??

    nonisolated init() {}
}
