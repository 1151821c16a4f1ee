import TestServers
import Testing

@testable import Observing

/// Writes down what it is told, in a journal that several share.
private final class Witness: Observer {
    let name: String
    let journal: Journal
    var onEvent: (Int) -> Void = { _ in }

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
    }

    func receive(_ event: Int) {
        journal.lines.append("\(name)\(event)")
        onEvent(event)
    }
}

private final class Journal {
    var lines: [String] = []
}

@Suite("A subject")
struct SubjectTests {
    private let subject = Subject<String, Int>()
    private let journal = Journal()

    private func witness(_ name: String, for topic: String? = "t") -> Witness {
        let witness = Witness(name, journal)
        if let topic { subject.add(witness, for: topic) }
        return witness
    }

    @Test("tells the observers of a topic in the order in which they were added, and no others")
    func order() {
        let all = [witness("a"), witness("b"), witness("x", for: "other"), witness("c")]
        subject.notify(1, to: "t")
        subject.notify(2, to: "t")
        #expect(journal.lines == ["a1", "b1", "c1", "a2", "b2", "c2"])
        withExtendedLifetime(all) {}
    }

    @Test("tells an observer that was added twice once")
    func addedTwice() {
        let a = witness("a")
        #expect(!subject.add(a, for: "t"))
        #expect(!subject.add(a, for: "t") { $0.receive($1 * 100) })
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1"])
        #expect(subject.observerCount(of: "t") == 1)
    }

    @Test("tells apart two observers of one class")
    func identity() {
        let all = [witness("a"), witness("a")]
        #expect(subject.remove(all[0], for: "t"))
        #expect(!subject.remove(all[0], for: "t"))
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1"])
        withExtendedLifetime(all) {}
    }

    @Test("keeps no observer alive, and forgets the dead with the next event")
    func weak() {
        var all: [Witness?] = [witness("a"), witness("b"), witness("c")]
        all[1] = nil
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1", "c1"])
        #expect(subject.observerCount(of: "t") == 2)
        withExtendedLifetime(all) {}
    }

    @Test("is not confused by a new observer at the address of a dead one")
    func reusedAddress() {
        var addresses: Set<ObjectIdentifier> = []
        for number in 1...1000 {
            let fresh = Witness("\(number):", journal)
            addresses.insert(ObjectIdentifier(fresh))
            #expect(subject.add(fresh, for: "t"))
            subject.notify(number, to: "t")
        }
        #expect(journal.lines == (1...1000).map { "\($0):\($0)" })
        // The allocator did give addresses out again, or this proved nothing.
        #expect(addresses.count < 1000 || Sanitizer.isAddress)
        #expect(subject.observerCount(of: "t") <= 1)
    }

    @Test("tells the first and the last observer of a topic, once a change")
    func firstAndLast() {
        subject.onFirstObserver = { [journal] in journal.lines.append("first \($0)") }
        subject.onLastObserver = { [journal] in journal.lines.append("last \($0)") }
        var a: Witness? = witness("a")
        let b = witness("b")
        subject.remove(b, for: "t")
        #expect(journal.lines == ["first t"])
        a = nil
        subject.sweep(limit: 10)
        #expect(journal.lines == ["first t", "last t"])
        subject.sweep(limit: 10)
        subject.add(b, for: "t")
        subject.remove(b, for: "t")
        #expect(journal.lines == ["first t", "last t", "first t", "last t"])
        #expect(subject.topics.isEmpty)
        _ = a
    }

    @Test("notices in passing that the last observer died")
    func lastDied() {
        var ended = 0
        subject.onLastObserver = { _ in ended += 1 }
        do { _ = witness("a") }
        subject.notify(1, to: "t")
        #expect(ended == 1)
        #expect(journal.lines.isEmpty)
    }

    @Test("sweeps a bounded number of topics at a time, and all of them in the end")
    func sweepsInParts() {
        for number in 0..<100 { _ = witness("dead", for: "\(number)") }
        subject.sweep(limit: 30)
        #expect(subject.topics.count == 70)
        for _ in 0..<3 { subject.sweep(limit: 30) }
        #expect(subject.topics.isEmpty)
    }

    @Test("tells nothing more to an observer that another removed in its callback")
    func removedInCallback() {
        let (a, b, c) = (witness("a"), witness("b"), witness("c"))
        a.onEvent = { [subject] _ in subject.remove(b, for: "t") }
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1", "c1"])
        withExtendedLifetime(c) {}
    }

    @Test("survives an observer that removes itself, even the last one")
    func removesItself() {
        var ended = 0
        subject.onLastObserver = { _ in ended += 1 }
        let all = ["a", "b", "c"].map { witness($0) }
        for observer in all {
            observer.onEvent = { [subject, unowned observer] _ in subject.remove(observer, for: "t") }
        }
        subject.notify(1, to: "t")
        subject.notify(2, to: "t")
        #expect(journal.lines == ["a1", "b1", "c1"])
        #expect(ended == 1)
    }

    @Test("tells an observer that was added in a callback of later events alone")
    func addedInCallback() {
        let (a, late) = (witness("a"), witness("late", for: nil))
        a.onEvent = { [subject] _ in subject.add(late, for: "t") }
        subject.notify(1, to: "t")
        subject.notify(2, to: "t")
        #expect(journal.lines == ["a1", "a2", "late2"])
    }

    @Test("shows all observers one order of events, even of those notified in a callback")
    func nested() {
        let (a, b) = (witness("a"), witness("b"))
        a.onEvent = { [subject] in if $0 < 3 { subject.notify($0 + 1, to: "t") } }
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1", "b1", "a2", "b2", "a3", "b3"])
        withExtendedLifetime(b) {}
    }

    @Test("tells of another topic at once, in a callback too")
    func nestedOtherTopic() {
        let (a, b, x) = (witness("a"), witness("b"), witness("x", for: "other"))
        a.onEvent = { [subject] in subject.notify($0, to: "other") }
        subject.notify(1, to: "t")
        #expect(journal.lines == ["a1", "x1", "b1"])
        withExtendedLifetime((b, x)) {}
    }

    @Test("removes ten thousand observers of one topic without searching for each")
    func removesMany() {
        let all = (0..<10_000).map { _ in witness("w") }
        for observer in all.shuffled() { #expect(subject.remove(observer, for: "t")) }
        #expect(subject.topics.isEmpty)
    }

    @Test("does what a list of weak references does, whatever is done with it", arguments: 0..<50 as Range<UInt64>)
    func model(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var living = (0..<12).map { Optional(Witness("\($0):", journal)) }
        var expected: [String] = []
        var order: [Int] = []
        for step in 0..<400 {
            let pick = Int.random(in: living.indices, using: &dice)
            switch Int.random(in: 0..<8, using: &dice) {
            case 0...2:
                if let observer = living[pick], subject.add(observer, for: "t") { order.append(pick) }
            case 3:
                if let observer = living[pick] {
                    let wasThere = subject.remove(observer, for: "t")
                    #expect(wasThere == order.contains(pick))
                }
                order.removeAll { $0 == pick }
            case 4:
                living[pick] = nil
                order.removeAll { $0 == pick }
                living[pick] = Witness("\(pick):", journal)
            case 5: subject.sweep(limit: 1)
            default:
                subject.notify(step, to: "t")
                expected += order.map { "\($0):\(step)" }
            }
        }
        #expect(journal.lines == expected)
    }
}

/// What a thermostat shows.
private final class Thermostat {
    let changed = Subject<String, Void>()
    var celsius = 20 { didSet { changed.notify("celsius") } }
    var humidity = 40 { didSet { changed.notify("humidity") } }
}

private final class Display: PullObserver {
    var shown: [Int] = []
    func update(from source: Thermostat) { shown.append(source.celsius) }
}

@Suite("Pull observers")
struct PullObserverTests {
    @Test("are told that something changed, and ask for what they need")
    func pull() {
        let (thermostat, display) = (Thermostat(), Display())
        #expect(thermostat.changed.add(display, of: thermostat, for: "celsius"))
        #expect(!thermostat.changed.add(display, of: thermostat, for: "celsius"))
        thermostat.celsius = 21
        thermostat.humidity = 50
        thermostat.celsius = 22
        thermostat.changed.remove(display, for: "celsius")
        thermostat.celsius = 23
        #expect(display.shown == [21, 22])
    }

    @Test("keep neither themselves nor what they ask alive")
    func lifetimes() {
        var thermostat: Thermostat? = Thermostat()
        let display = Display()
        weak let gone = thermostat
        if let thermostat { thermostat.changed.add(display, of: thermostat, for: "celsius") }
        thermostat = nil
        #expect(gone == nil)
    }
}
