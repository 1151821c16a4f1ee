/// Decides when an owner's changes are delivered to one viewer, and with which access, without I/O.
///
/// The access is read from both sides of the pair. Whatever could change it arrives in the owner's order of changes or in the
/// viewer's: from there on nothing is delivered until both sides have been read again.
///
/// | state | the access | changes |
/// |---|---|---|
/// | reading | is being read | are held |
/// | showing | is known | are delivered |
/// | ended | is none | are dropped: only a change of either account can bring the share back |
/// | closed | is of no interest | are dropped: an observer may close its share while it is being notified |
///
/// The shell (``Share``) reports each event and performs the effect that it answers. What cannot happen stops the program:
/// ignoring it could show viewers what is hidden from them.
package struct ShareStateMachine {
    /// Where the reader continues once the access has been read.
    package enum Start: Sendable, Equatable {
        /// From a snapshot.
        case snapshot
        /// From after a change up to which the reader was shown everything with this access: what came since is in the log.
        case resume(Access, after: ChangeID)
        /// From where it is, on top of what it began with as of a change, as long as the access is the same again: what came
        /// since is held.
        case stay(Access, beganAt: ChangeID)
    }

    /// A reading of the access that is in progress; the answer to an earlier one is out of date.
    package struct Reading: Sendable, Equatable {
        /// Counts readings.
        package let number: Int
        /// Where the reader continues.
        package let start: Start
    }

    package enum Effect {
        case nothing
        /// Reads both sides of the pair, and what ``Start`` needs.
        case read(Reading)
        /// Replaces all that the reader knows of the owner's todos by the snapshot that was read.
        case begin(Access)
        /// Goes on after a change with those that were missed.
        case resume(Access, after: ChangeID, missed: [TodoChange])
        /// Delivers a change as far as the access shows it.
        case deliver(TodoChange, Access)
        /// Says that nothing of the owner may be seen.
        case end
        /// Several of these, in order.
        case several([Effect])
    }

    package enum State {
        case closed
        case reading(Reading, held: [TodoChange], isEndKnown: Bool)
        case showing(Showing)
        /// The sides are nil when they could not be read.
        case ended(PairAccess?)
    }

    package struct Showing {
        let access: Access
        /// Both sides, with the changes of either that were received.
        var sides: PairAccess
        /// The owner's latest change when their side was read.
        let sidesID: ChangeID
        /// Changes up to this one are part of what the reader began with.
        let beganAt: ChangeID
    }

    private let owner: String
    private let viewer: String
    package private(set) var state = State.closed
    private var readings = 0

    package init(of owner: String, for viewer: String) { (self.owner, self.viewer) = (owner, viewer) }

    /// What the viewer may see; nil while that is not known.
    package var access: Access? {
        switch state {
        case .closed, .reading: nil
        case .showing(let showing): showing.access
        case .ended: Access.none
        }
    }

    /// Whether an answer is still of use.
    package func isCurrent(_ reading: Reading) -> Bool {
        if case .reading(reading, _, _) = state { true } else { false }
    }

    // MARK: Opening and closing

    /// Begins from a snapshot, or from after a change up to which the reader was shown everything with some access.
    package mutating func open(after place: (access: Access, id: ChangeID)? = nil) -> Effect {
        guard case .closed = state else { preconditionFailure("a share is opened once") }
        // A cursor is not valid for another access.
        let start = place.flatMap { $0.id == .zero ? nil : Start.resume($0.access, after: $0.id) } ?? .snapshot
        return read(from: start)
    }

    /// Nothing follows; an answer that is on its way is out of date.
    package mutating func close() { state = .closed }

    // MARK: Changes

    /// A change of one of the owner's todos.
    package mutating func received(_ change: TodoChange) -> Effect {
        switch state {
        case .closed, .ended: return .nothing
        case .reading:
            hold(change)
            return .nothing
        case .showing(let showing):
            guard !showing.isDoubtful(change) else { return reset() }
            return showing.isNews(change) ? .deliver(change, showing.access) : .nothing
        }
    }

    /// A change of the owner's account.
    package mutating func ownerChanged(_ change: TodoChange) -> Effect {
        guard let account = change.account else { preconditionFailure("a change of an account says what it is") }
        switch state {
        case .closed: return .nothing
        case .reading:
            // What is being read may be from before, and what was held from while nothing could be seen.
            if owner != viewer, account.touchesAccess(of: viewer) { return readAgain(holding: false) }
            hold(change)
            return .nothing
        case .showing(var showing):
            guard !showing.isDoubtful(change) else { return reset() }
            guard showing.isNews(change) else { return .nothing }
            if change.isNewer(than: showing.sidesID), showing.sides.apply(account, of: owner, by: viewer) {
                return readAgain(showing)
            }
            state = .showing(showing)
            return .deliver(change, showing.access)
        case .ended(let sides): return ended(sides, after: account)
        }
    }

    /// A change of the viewer's account.
    package mutating func viewerChanged(_ change: AccountChange) -> Effect {
        guard case .relation(let relation) = change, relation.with == owner else { return .nothing }
        switch state {
        case .closed: return .nothing
        // What is being read may be from before.
        case .reading: return readAgain()
        case .showing(var showing):
            if showing.sides.apply(change, of: owner, by: viewer) { return readAgain(showing) }
            state = .showing(showing)
            return .nothing
        case .ended(let sides): return ended(sides, after: change)
        }
    }

    /// Changes of the viewer's account may have been missed.
    package mutating func viewerMissed() -> Effect {
        switch state {
        case .closed: return .nothing
        case .reading: return readAgain()
        case .showing(let showing): return readAgain(showing)
        case .ended: return read(from: .snapshot, isEndKnown: true)
        }
    }

    /// The owner's history was replaced, or changes of it are lost.
    package mutating func reset() -> Effect {
        switch state {
        case .closed: return .nothing
        case .reading(_, _, let isEndKnown): return read(from: .snapshot, isEndKnown: isEndKnown)
        case .showing: return read(from: .snapshot)
        case .ended: return read(from: .snapshot, isEndKnown: true)
        }
    }

    // MARK: Answers

    /// Both sides were read, the owner's as of a change, and nothing else is needed to continue; nil where it is.
    ///
    /// - Parameter missed: all of the owner's changes after the one from which the reader continues; empty where it continues
    ///   from where it is.
    package mutating func know(
        _ sides: PairAccess,
        asOf id: ChangeID,
        missed: [TodoChange],
        by reading: Reading
    ) -> Effect? {
        let held = current(reading)
        switch reading.start {
        case _ where sides.access == .none: return nil
        case .stay(sides.access, let beganAt):
            let known = Showing(access: sides.access, sides: sides, sidesID: id, beganAt: beganAt)
            return show(known, after: [], held)
        case .resume(sides.access, let last) where !missed.contains { $0.account?.touchesAccess(of: viewer) == true }:
            let tip = missed.last?.id ?? last
            let known = Showing(access: sides.access, sides: sides, sidesID: id, beganAt: tip)
            return show(known, after: [.resume(sides.access, after: last, missed: missed)], held)
        default: return nil
        }
    }

    /// Both sides and a snapshot of the owner's todos were read, all as of a change.
    package mutating func begin(_ sides: PairAccess, asOf id: ChangeID, by reading: Reading) -> Effect {
        let held = current(reading)
        guard sides.access != .none else { preconditionFailure("where nothing may be seen there is no snapshot") }
        return show(
            Showing(access: sides.access, sides: sides, sidesID: id, beganAt: id),
            after: [.begin(sides.access)],
            held
        )
    }

    /// Both sides were read, and nothing may be seen; nil sides when they cannot be read.
    package mutating func end(_ sides: PairAccess?, by reading: Reading) -> Effect {
        guard case .reading(reading, _, let isEndKnown) = state else { Self.isOutOfDate(reading) }
        state = .ended(sides)
        return isEndKnown ? .nothing : .end
    }

    // MARK: Transitions

    private mutating func read(from start: Start, held: [TodoChange] = [], isEndKnown: Bool = false) -> Effect {
        readings += 1
        let reading = Reading(number: readings, start: start)
        state = .reading(reading, held: held, isEndKnown: isEndKnown)
        return .read(reading)
    }

    private mutating func readAgain(_ showing: Showing) -> Effect {
        // An access that has changed by what was received may be the same again when it is read: what happened in between
        // was not to be seen.
        guard showing.sides.access == showing.access else { return read(from: .snapshot) }
        return read(from: .stay(showing.access, beganAt: showing.beganAt))
    }

    /// - Parameter holding: whether a reader who continues from where it is may receive what was held.
    private mutating func readAgain(holding: Bool = true) -> Effect {
        guard case .reading(let reading, let held, let isEndKnown) = state else {
            preconditionFailure("only a reading is repeated")
        }
        // A new read contains what was held, except for a reader who continues from where it is.
        guard case .stay = reading.start else { return read(from: reading.start, isEndKnown: isEndKnown) }
        return holding ? read(from: reading.start, held: held) : read(from: .snapshot)
    }

    private mutating func ended(_ sides: PairAccess?, after change: AccountChange) -> Effect {
        guard var sides, !sides.apply(change, of: owner, by: viewer) else {
            return read(from: .snapshot, isEndKnown: true)
        }
        state = .ended(sides)
        return .nothing
    }

    private mutating func hold(_ change: TodoChange) {
        // What was only published is overruled by what is read.
        guard change.id != nil, case .reading(let reading, var held, let isEndKnown) = state else { return }
        // The state lets go of the array first, so that it grows in place.
        state = .closed
        held.append(change)
        state = .reading(reading, held: held, isEndKnown: isEndKnown)
    }

    private func current(_ reading: Reading) -> [TodoChange] {
        guard case .reading(reading, let held, _) = state else { Self.isOutOfDate(reading) }
        return held
    }

    private static func isOutOfDate(_ reading: Reading) -> Never {
        preconditionFailure("check isCurrent before answering reading \(reading.number)")
    }

    /// Delivers what was held, until one of the changes has the access read again: the rest is held on.
    private mutating func show(_ showing: Showing, after first: [Effect], _ held: [TodoChange]) -> Effect {
        state = .showing(showing)
        var effects = first
        for change in held {
            switch change.account == nil ? received(change) : ownerChanged(change) {
            case .nothing: break
            case let effect: effects.append(effect)
            }
        }
        return .several(effects)
    }
}

extension ShareStateMachine.Showing {
    fileprivate func isNews(_ change: TodoChange) -> Bool { change.isNewer(than: beganAt) }

    /// Whether a change does not fit what the reader began with, which another snapshot decides.
    fileprivate func isDoubtful(_ change: TodoChange) -> Bool {
        change.id?.mayBeOfAnotherHistory(than: beganAt) ?? false
    }
}

extension TodoChange {
    /// Whether it comes after a change; one that was only published comes after all.
    fileprivate nonisolated func isNewer(than id: ChangeID) -> Bool { self.id.map { $0.version > id.version } ?? true }
}
