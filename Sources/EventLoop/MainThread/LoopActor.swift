import Dispatch

/// The loop of an app: its main actor, so that views read view models as they are.
///
/// On Apple's systems apps have a loop of their own, on the main thread; there this takes the place of the one that libevent runs for
/// servers. Elsewhere `TODOMATE_LOOP=main` builds it. Never block here: that would stall the whole app.
public typealias LoopActor = MainActor

extension MainActor {
    /// Runs `body` at once, as code that is already on the main thread; its result need not be sendable, as it stays there.
    ///
    /// Stops the process when called from any other thread.
    @inlinable
    package static func assumeIsolated<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        preconditionIsolated()
        // The check above proves the isolation that the cast removes from the type; nothing else changes in it.
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }

    /// ``assumeIsolated(_:)`` for a closure that is called often: made once, it allocates nothing at each call.
    ///
    /// The returned closure stops the process when called from any other thread.
    @inlinable
    package nonisolated static func assumingIsolated<First, Second>(
        _ body: @escaping @MainActor (First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        // As above: each call is checked, and only the isolation is removed from the type.
        let body = unsafeBitCast(body, to: (@Sendable (First, Second) -> Void).self)
        return { first, second in
            preconditionIsolated()
            body(first, second)
        }
    }

    /// Runs `body` in the next turn of the main thread, behind what it has to do already.
    @MainActor
    package static func atEndOfTurn(_ body: @escaping @MainActor () -> Void) {
        LoopTurn.bodies.append(body)
        LoopTurn.schedule()
    }

    /// Runs `body` a turn later than ``atEndOfTurn(_:)``: long work continues by it in pieces, so that input is handled between them.
    @MainActor
    package static func atEndOfNextTurn(_ body: @escaping @MainActor () -> Void) {
        LoopTurn.later.append(body)
        LoopTurn.schedule()
    }
}

extension LoopTurn {
    private static var isScheduled = false

    /// The main thread knows no end of a turn: what is left to do stands behind the work that it has.
    fileprivate static func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                isScheduled = false
                if finish() { schedule() }
            }
        }
    }
}
