/// Puts one user's changes into an exact order: the reasoning behind "each version once and in order", without I/O.
///
/// The shell reports every event and performs the effect that it answers. Until the subscription is confirmed, nothing is known.
/// Then the user's latest change id is read (or, after a lost connection, what was missed), and what arrives meanwhile
/// is held. From there on every change must be the next one.
///
/// It is generic over the change so that it can be tested with ids alone.
struct ChangeSequence<Change> {
    enum Effect {
        case nothing
        /// Notify the observers.
        case deliver(Change)
        /// Not a change of this user's log: count it.
        case refuse(Change)
        /// Notify the observers of a reset.
        case reset
        /// Read what came after this change from the log; nil reads only the latest id.
        case read(since: ChangeID?)
        /// From here on every change will be delivered.
        case ready
        /// Several of these, in order.
        case several([Effect])
    }

    /// What is known while the log is being read.
    private struct Reading {
        /// The last change delivered; nil when observers need a reset, or have not started.
        var last: ChangeID?
        /// What arrived before the answer.
        var held: [Change] = []
        /// The number of those that had arrived when the read began: its answer must contain them.
        var heldBefore = 0
        /// So much arrived that it was dropped: it will be read from the log.
        var overflowed = false
        /// Observers need a reset at the id that the log answers with.
        var owesReset = false

        /// Changes that the log contains need no verdict: by its microseconds alone, a change from when the clock was ahead would look
        /// like one of another history.
        mutating func drop(_ replayed: [Change], by id: (Change) -> ChangeID?) {
            guard !held.isEmpty, !replayed.isEmpty else { return }
            let known = Set(replayed.compactMap(id))
            heldBefore = held.prefix(heldBefore).count { id($0).map { !known.contains($0) } ?? true }
            held.removeAll { id($0).map { known.contains($0) } ?? false }
        }
    }

    private enum State {
        case unopened(last: ChangeID?, owesReset: Bool)
        case reading(Reading)
        case following(last: ChangeID)
    }

    /// More held changes than this are dropped, and read from the log afterwards.
    static var mostHeld: Int { 1000 }

    private let id: (Change) -> ChangeID?
    private let before: (Change) -> ChangeID?
    private var state = State.unopened(last: nil, owesReset: false)
    /// The last change at a look-up that found a later one: if it still is at the next, a message was lost.
    private var awaitedAt: ChangeID?

    /// - Parameters:
    ///   - id: the id of a change; nil for one that was only published.
    ///   - before: the change before it, where it says so.
    init(id: @escaping (Change) -> ChangeID?, before: @escaping (Change) -> ChangeID? = { _ in nil }) {
        (self.id, self.before) = (id, before)
    }

    /// Whether every change from now on will be delivered.
    var isFollowing: Bool { if case .following = state { true } else { false } }

    /// The last change delivered, or known when following began; nil while not every change is.
    var last: ChangeID? { if case .following(let last) = state { last } else { nil } }

    /// The read in progress has failed and is repeated.
    mutating func readAgain() -> Effect { if case .reading(let reading) = state { read(reading) } else { .nothing } }

    /// The subscription is confirmed, for the first time or again.
    mutating func opened() -> Effect {
        lost()
        guard case .unopened(let last, let owesReset) = state else { return .nothing }
        return read(Reading(last: last, owesReset: owesReset))
    }

    /// The connection is gone; what it still carried is in the log.
    mutating func lost() {
        switch state {
        case .following(let last): state = .unopened(last: last, owesReset: false)
        case .reading(let reading): state = .unopened(last: reading.last, owesReset: reading.owesReset)
        case .unopened: break
        }
    }

    /// A change was published.
    mutating func received(_ change: Change) -> Effect {
        switch state {
        case .unopened: return .nothing
        case .following(let last):
            guard let id = id(change) else { return .deliver(change) }
            switch verdict(change, id, after: last) {
            case .next:
                state = .following(last: id)
                return .deliver(change)
            case .seen: return .nothing
            // The log says what is missing, or that the last change is not part of it any more.
            case .gap, .rewritten: return read(Reading(last: last, held: [change]))
            }
        case .reading(var reading):
            // The state releases the array first, so that it grows in place.
            state = .unopened(last: nil, owesReset: false)
            if reading.held.count < Self.mostHeld {
                reading.held.append(change)
            } else {
                reading.held.removeAll()
                reading.heldBefore = 0
                reading.overflowed = true
            }
            state = .reading(reading)
            return .nothing
        }
    }

    /// The user's latest id was read: if it is not the last one delivered, the log says what was missed. A later one may be on its
    /// way still, and counts as missed when the next look-up finds that nothing has come.
    mutating func checked(_ latest: ChangeID) -> Effect {
        let awaitedAt = awaitedAt
        self.awaitedAt = nil
        guard case .following(let last) = state, latest != last else { return .nothing }
        guard latest.version > last.version, latest.microseconds > last.microseconds, awaitedAt != last else {
            return read(Reading(last: last))
        }
        self.awaitedAt = last
        return .nothing
    }

    /// The log answered a ``Effect/read(since:)`` of an id with the changes after it.
    mutating func caughtUp(_ missed: [Change]) -> Effect {
        guard case .reading(var reading) = state, let last = reading.last else { return .nothing }
        reading.drop(missed, by: id)
        var effects: [Effect] = []
        var tip = last
        for change in missed {
            guard let id = id(change), id.version > tip.version else { continue }
            tip = id
            effects.append(.deliver(change))
        }
        return settle(reading, at: tip, effects)
    }

    /// The log answered a ``Effect/read(since:)`` of nil with the latest id.
    mutating func caughtUp(at latest: ChangeID) -> Effect {
        guard case .reading(let reading) = state, reading.last == nil else { return .nothing }
        return settle(reading, at: latest, reading.owesReset ? [.reset] : [])
    }

    /// The log does not have the id that was read from: it was trimmed, or history was replaced.
    mutating func logIsGone() -> Effect {
        guard case .reading(var reading) = state, reading.last != nil else { return .nothing }
        reading.last = nil
        reading.owesReset = true
        return read(reading)
    }

    private mutating func read(_ reading: Reading) -> Effect {
        var reading = reading
        reading.heldBefore = reading.held.count
        state = .reading(reading)
        return .read(since: reading.last)
    }

    /// Delivers what was held, now that all changes up to `tip` are delivered.
    private mutating func settle(
        _ reading: Reading,
        at tip: ChangeID,
        _ earlier: [Effect]
    ) -> Effect {
        var effects = earlier
        var tip = tip
        for (index, change) in reading.held.enumerated() {
            guard let id = id(change) else {
                effects.append(.deliver(change))
                continue
            }
            switch verdict(change, id, after: tip) {
            case .next:
                tip = id
                effects.append(.deliver(change))
            case .seen: break
            case .gap where index >= reading.heldBefore, .rewritten where index >= reading.heldBefore:
                // It was published after the log was read, or what came before it was dropped: read on from here.
                let rest = Array(reading.held[index...])
                return .several(effects + [read(Reading(last: tip, held: rest))])
            case .gap, .rewritten:
                // The log was read after this arrived and knows nothing of it: it never was a change.
                effects.append(.refuse(change))
            }
        }
        if reading.overflowed { return .several(effects + [read(Reading(last: tip))]) }
        state = .following(last: tip)
        return .several(effects + [.ready])
    }

    private enum Verdict { case next, seen, gap, rewritten }

    private func verdict(_ change: Change, _ id: ChangeID, after last: ChangeID) -> Verdict {
        if id.version == last.version + 1 {
            // It follows upon another change: one of both is of a history that has ended.
            if let before = before(change), before != last { return .rewritten }
            // A next version from before the last one is of another history, or of one that came back to the clock: the log
            // knows.
            return id.microseconds > last.microseconds ? .next : .rewritten
        }
        if id.version > last.version { return .gap }
        if id.version == last.version { return id == last ? .seen : .rewritten }
        return id.microseconds > last.microseconds ? .rewritten : .seen
    }
}
