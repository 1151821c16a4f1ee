import TestServers
import Testing

@testable import TodoMate

/// A change that is nothing but its id, and what the sequence answered, in words.
private typealias Sequence = ChangeSequence<ChangeID?>

private func id(_ version: Int, _ microseconds: Int? = nil) -> ChangeID {
    ChangeID(version: version, microseconds: microseconds ?? version * 10)
}

private func words(_ effect: Sequence.Effect) -> [String] {
    switch effect {
    case .nothing: []
    case .deliver(let change): ["tell \(change?.description ?? "plain")"]
    case .refuse(let change): ["refuse \(change?.description ?? "plain")"]
    case .reset: ["reset"]
    case .read(let since): ["read \(since?.description ?? "latest")"]
    case .ready: ["ready"]
    case .several(let effects): effects.flatMap(words)
    }
}

/// A sequence that follows, its last change being `last`.
private func following(_ last: ChangeID) -> Sequence {
    var sequence = Sequence(id: { $0 })
    _ = sequence.opened()
    _ = sequence.caughtUp(at: last)
    return sequence
}

@Suite("The sequence of a user's changes")
struct ChangeSequenceTests {
    @Test("begins by asking for the latest change once the subscription is confirmed")
    func begins() {
        var sequence = Sequence(id: { $0 })
        #expect(words(sequence.received(id(1))) == [])
        #expect(words(sequence.opened()) == ["read latest"])
        #expect(!sequence.isFollowing)
        #expect(words(sequence.caughtUp(at: id(4))) == ["ready"])
        #expect(sequence.isFollowing)
        #expect(words(sequence.received(id(5))) == ["tell 5-50"])
    }

    @Test("holds what arrives while the latest change is read, and drops what that contains")
    func holds() {
        var sequence = Sequence(id: { $0 })
        _ = sequence.opened()
        for version in 4...6 { #expect(words(sequence.received(id(version))) == []) }
        #expect(words(sequence.received(nil)) == [])
        #expect(words(sequence.caughtUp(at: id(5))) == ["tell 6-60", "tell plain", "ready"])
    }

    @Test(
        "judges a change by the last one",
        arguments: [
            (id(6), ["tell 6-60"]),
            (id(5), []),
            (id(3), []),
            (id(7), ["read 5-50"]),
            // The same version again with another time, or an old one with a later time: was history replaced?
            (id(5, 51), ["read 5-50"]),
            (id(5, 49), ["read 5-50"]),
            (id(2, 90), ["read 5-50"]),
            // The next version from before the last one cannot be of the same history.
            (id(6, 40), ["read 5-50"]),
            (nil, ["tell plain"]),
        ] as [(ChangeID?, [String])]
    )
    func judges(_ change: ChangeID?, _ answer: [String]) {
        var sequence = following(id(5))
        #expect(words(sequence.received(change)) == answer)
    }

    @Test("asks the log about a history that comes back to the clock, and goes on with it")
    func comesBackToTheClock() {
        var sequence = following(id(5, 9_000))
        #expect(words(sequence.received(id(6, 60))) == ["read 5-9000"])
        #expect(words(sequence.received(id(7, 70))) == [])
        #expect(words(sequence.caughtUp([id(6, 60)])) == ["tell 6-60", "tell 7-70", "ready"])
        #expect(words(sequence.received(id(8, 80))) == ["tell 8-80"])
    }

    @Test("takes no change for another history's that the log has told, though it is dated later than the last one")
    func heldWhileAhead() {
        var sequence = following(id(5))
        sequence.lost()
        _ = sequence.opened()
        // The first of them was held before the log was asked again, the other after.
        #expect(words(sequence.received(id(6, 9_000))) == [])
        #expect(words(sequence.readAgain()) == ["read 5-50"])
        #expect(words(sequence.received(id(7, 9_001))) == [])
        #expect(words(sequence.received(id(8, 80))) == [])
        #expect(
            words(sequence.caughtUp([id(6, 9_000), id(7, 9_001), id(8, 80)]))
                == ["tell 6-9000", "tell 7-9001", "tell 8-80", "ready"]
        )
    }

    @Test("fills a hole from the log, in order, and joins what arrived meanwhile")
    func fillsHole() {
        var sequence = following(id(5))
        #expect(words(sequence.received(id(8))) == ["read 5-50"])
        #expect(words(sequence.received(id(9))) == [])
        #expect(words(sequence.received(nil)) == [])
        #expect(
            words(sequence.caughtUp([id(6), id(7), id(8)]))
                == ["tell 6-60", "tell 7-70", "tell 8-80", "tell 9-90", "tell plain", "ready"]
        )
        #expect(words(sequence.received(id(10))) == ["tell 10-100"])
    }

    @Test("reads on when a further hole shows in what arrived meanwhile")
    func readsOn() {
        var sequence = following(id(5))
        _ = sequence.received(id(7))
        _ = sequence.received(id(10))
        #expect(words(sequence.caughtUp([id(6), id(7)])) == ["tell 6-60", "tell 7-70", "read 7-70"])
        #expect(
            words(sequence.caughtUp([id(8), id(9), id(10)])) == ["tell 8-80", "tell 9-90", "tell 10-100", "ready"]
        )
    }

    @Test("refuses a change that the log does not know, and goes on")
    func refusesForgery() {
        var sequence = following(id(5))
        #expect(words(sequence.received(id(99))) == ["read 5-50"])
        #expect(words(sequence.caughtUp([])) == ["refuse 99-990", "ready"])
        #expect(words(sequence.received(id(6))) == ["tell 6-60"])
    }

    @Test("refuses what only looks like a replaced history, and starts nobody over for it")
    func refusesForgedReplacement() {
        var sequence = following(id(5))
        #expect(words(sequence.received(id(3, 9_999))) == ["read 5-50"])
        #expect(words(sequence.received(id(6))) == [])
        #expect(words(sequence.caughtUp([])) == ["refuse 3-9999", "tell 6-60", "ready"])
        #expect(words(sequence.received(id(7))) == ["tell 7-70"])
    }

    @Test("starts observers over when history was replaced, even while the log was being read")
    func startsOver() {
        var sequence = following(id(5))
        #expect(words(sequence.received(id(7))) == ["read 5-50"])
        // The log answered before it was replaced; what came afterwards is of the new one.
        #expect(words(sequence.received(id(1, 9_999))) == [])
        #expect(words(sequence.caughtUp([id(6), id(7)])) == ["tell 6-60", "tell 7-70", "read 7-70"])
        #expect(words(sequence.logIsGone()) == ["read latest"])
        #expect(words(sequence.caughtUp(at: id(2, 99_999))) == ["reset", "ready"])
        #expect(words(sequence.received(id(3, 100_000))) == ["tell 3-100000"])
    }

    @Test("starts observers over when the log no longer has what was missed")
    func resets() {
        var sequence = following(id(5))
        _ = sequence.received(id(2_000))
        #expect(words(sequence.logIsGone()) == ["read latest"])
        _ = sequence.received(id(2_001))
        #expect(words(sequence.caughtUp(at: id(2_000))) == ["reset", "tell 2001-20010", "ready"])
    }

    @Test("resumes from the last change told after a lost connection")
    func resumes() {
        var sequence = following(id(5))
        sequence.lost()
        #expect(!sequence.isFollowing)
        #expect(words(sequence.received(id(6))) == [])
        #expect(words(sequence.opened()) == ["read 5-50"])
        #expect(words(sequence.caughtUp([id(6), id(7)])) == ["tell 6-60", "tell 7-70", "ready"])
    }

    @Test("still owes a reset when the connection breaks before it could be told")
    func owesReset() {
        var sequence = following(id(5))
        _ = sequence.received(id(1, 9_999))
        _ = sequence.logIsGone()
        sequence.lost()
        #expect(words(sequence.opened()) == ["read latest"])
        #expect(words(sequence.caughtUp(at: id(1, 9_999))) == ["reset", "ready"])
    }

    @Test("lets go of a flood that arrives while it reads, and reads it from the log")
    func overflows() {
        var sequence = following(id(5))
        _ = sequence.received(id(7))
        for version in 8...(8 + Sequence.mostHeld) { _ = sequence.received(id(version)) }
        #expect(words(sequence.caughtUp([id(6), id(7)])) == ["tell 6-60", "tell 7-70", "read 7-70"])
        let rest = (8...(8 + Sequence.mostHeld)).map { id($0) }
        #expect(words(sequence.caughtUp(rest)) == rest.map { "tell \($0)" } + ["ready"])
    }

    @Test("asks again what it asked")
    func asksAgain() {
        var sequence = following(id(5))
        #expect(words(sequence.readAgain()) == [])
        _ = sequence.received(id(7))
        #expect(words(sequence.readAgain()) == ["read 5-50"])
        // All that is held by now arrived before the question.
        _ = sequence.received(id(99))
        _ = sequence.readAgain()
        #expect(words(sequence.caughtUp([id(6), id(7)])) == ["tell 6-60", "tell 7-70", "refuse 99-990", "ready"])
    }

    @Test(
        "tells each change once and in order, whatever is lost and repeated on the way",
        arguments: 0..<200 as Range<UInt64>,
        [false, true]
    )
    func isExact(seed: UInt64, isClockWrong: Bool) {
        var dice = SeededRandom(seed: seed)
        var log: [ChangeID] = []
        /// Far ahead at times, and back.
        func nextMicros() -> Int {
            isClockWrong && Int.random(in: 0..<5, using: &dice) == 0 ? 1_000_000 + log.count : (log.count + 1) * 10
        }
        var told: [ChangeID] = []
        var sequence = Sequence(id: { $0 })
        var questions: [ChangeID?] = []
        func perform(_ effect: Sequence.Effect) {
            switch effect {
            case .deliver(let change): if let change { told.append(change) }
            case .read(let since): questions = [since]
            case .several(let effects): effects.forEach(perform)
            case .reset, .refuse: Issue.record("nothing was trimmed or forged")
            case .nothing, .ready: break
            }
        }
        func answer() {
            guard let question = questions.popLast() else { return }
            if let question {
                perform(sequence.caughtUp(log.filter { $0.version > question.version }))
            } else {
                perform(sequence.caughtUp(at: log.last ?? .zero))
            }
        }
        perform(sequence.opened())
        answer()
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6:
                log.append(id(log.count + 1, nextMicros()))
                if Int.random(in: 0..<4, using: &dice) > 0 { perform(sequence.received(log.last!)) }
            // What comes a second time while the clock is wrong is refused: Redis publishes nothing twice.
            case 6: if !isClockWrong, let old = log.randomElement(using: &dice) { perform(sequence.received(old)) }
            case 7:
                sequence.lost()
                questions = []
                perform(sequence.opened())
            default: answer()
            }
        }
        sequence.lost()
        perform(sequence.opened())
        while !questions.isEmpty { answer() }
        #expect(told == log)
    }

    @Test("waits for one look-up more when a later change may be on its way, and reads at once when it cannot be")
    func lookUps() {
        var sequence = following(.zero)
        #expect(words(sequence.checked(id(1))) == [])
        #expect(words(sequence.received(id(1))) == ["tell 1-10"])
        #expect(words(sequence.checked(id(1))) == [])
        // The second that finds the same one lacking.
        #expect(words(sequence.checked(id(2))) == [])
        #expect(words(sequence.checked(id(3))) == ["read 1-10"])
        // Not where something has come in between.
        sequence = following(id(5))
        #expect(words(sequence.checked(id(6))) == [])
        #expect(words(sequence.received(id(6))) == ["tell 6-60"])
        #expect(words(sequence.checked(id(7))) == [])
        #expect(words(sequence.received(id(7))) == ["tell 7-70"])
        // What is no later change of the same history never comes.
        for latest in [id(6), id(7, 71), id(8, 70), id(9, 5), .zero, .lost] {
            sequence = following(id(7))
            #expect(words(sequence.checked(latest)) == ["read 7-70"], "\(latest)")
        }
    }

    /// A change, and the one before it.
    private struct Link: Equatable {
        var id: ChangeID
        var before: ChangeID
    }

    @Test(
        "never mixes what a primary goes on with that was replaced with what its successor does",
        arguments: 0..<300 as Range<UInt64>
    )
    func histories(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var clock = 0
        func next(_ history: [Link]) -> Link {
            clock += Int.random(in: 1...3, using: &dice)
            let before = history.last?.id ?? .zero
            return Link(id: ChangeID(version: before.version + 1, microseconds: clock), before: before)
        }
        // The one that counts, and one that parted from it, of which the log knows nothing.
        var log: [Link] = []
        for _ in 0..<Int.random(in: 0...3, using: &dice) { log.append(next(log)) }
        var dead = log
        var last: ChangeID?
        var questions: [ChangeID?] = []
        var sequence = ChangeSequence<Link>(id: { $0.id }, before: { $0.before })
        func perform(_ effect: ChangeSequence<Link>.Effect) {
            switch effect {
            case .deliver(let change):
                if let last { #expect(change.before == last) }
                last = change.id
            case .reset: last = nil
            case .read(let since): questions = [since]
            case .several(let effects): effects.forEach(perform)
            case .refuse, .nothing, .ready: break
            }
        }
        func answer() {
            guard let question = questions.popLast() else { return }
            guard let question else {
                // A reader begins with what is read now.
                if last == nil { last = log.last?.id ?? .zero }
                return perform(sequence.caughtUp(at: log.last?.id ?? .zero))
            }
            guard let place = log.firstIndex(where: { $0.id == question }) else {
                return perform(question == .zero && log.isEmpty ? sequence.caughtUp([]) : sequence.logIsGone())
            }
            perform(sequence.caughtUp(Array(log[(place + 1)...])))
        }
        perform(sequence.opened())
        answer()
        for _ in 0..<60 {
            switch Int.random(in: 0..<8, using: &dice) {
            case 0..<3:
                log.append(next(log))
                if Int.random(in: 0..<4, using: &dice) > 0 { perform(sequence.received(log.last!)) }
            case 3, 4:
                dead.append(next(dead))
                perform(sequence.received(dead.last!))
            case 5:
                sequence.lost()
                questions = []
                perform(sequence.opened())
            default: answer()
            }
        }
        log.append(next(log))
        perform(sequence.received(log.last!))
        for _ in 0..<2 { perform(sequence.checked(log.last!.id)) }
        while !questions.isEmpty { answer() }
        #expect(sequence.last == log.last?.id)
    }
}
