import EventLoop
import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("The pauses of an outbox")
struct SendingPausesTests {
    /// The longest wait that chance has.
    private struct Longest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    private static let passing = Outbox.Outcome.passing("away")
    private static let told = DoorAnswer(outcome: passing, pause: .everything, notBefore: .seconds(100))
    private static let toldAtOne = DoorAnswer(outcome: passing, pause: .todo, notBefore: .seconds(100))
    private static let refused = DoorAnswer(outcome: .refused(.full("full")), notBefore: .seconds(100))
    private static let network = DoorAnswer(outcome: passing, pause: .everything)
    private static let signedOut = DoorAnswer(outcome: passing, pause: .untilTold("sign in"))
    private static let one = DoorAnswer(outcome: passing, pause: .todo)
    private static let done = DoorAnswer(outcome: passing)

    /// What was answered, whether it is hurried at once, after how many seconds it is asked; whether everything waits, and which todos do.
    private static let table: [(answers: [DoorAnswer], isHurried: Bool, after: Int, isHeld: Bool, todos: Set<String>)] =
        [
            ([], false, 0, false, []),
            ([told], false, 99, true, []),
            ([told], true, 99, true, []),
            ([told], false, 100, false, []),
            ([toldAtOne], true, 99, true, []),
            ([refused], true, 99, true, []),
            ([network], false, 0, true, []),
            ([network], true, 0, false, []),
            ([network], false, 60, false, []),
            ([signedOut], false, 299, true, []),
            ([signedOut], true, 0, false, []),
            ([signedOut], false, 300, false, []),
            ([one], false, 0, false, ["t0"]),
            ([one], true, 0, false, []),
            ([one], false, 60, false, []),
            // The longer one stands, whichever came first, and what others say of theirs ends none.
            ([told, network], false, 99, true, []),
            ([told, network], true, 99, true, []),
            ([network, told], true, 99, true, []),
            ([told, one], false, 99, true, []),
            ([told, done], true, 99, true, []),
            ([told, signedOut], true, 99, true, []),
            ([told, signedOut], false, 299, true, []),
            ([signedOut, told], false, 299, true, []),
            ([signedOut, network], false, 299, true, []),
            ([one, one], false, 0, false, ["t0", "t1"]),
            ([one, network], false, 0, true, ["t0"]),
        ]

    @Test("last as long as they were told to, whatever hurries, and the longer one stands", arguments: table.indices)
    func rule(_ index: Int) {
        let (answers, isHurried, after, isHeld, todos) = Self.table[index]
        let begin = ContinuousClock.now
        let now = begin + .seconds(after)
        var (pauses, random) = (SendingPauses(), Longest())
        for (number, answer) in answers.enumerated() {
            pauses.take(answer, to: "t\(number)", at: begin, using: &random)
        }
        if isHurried { pauses.hurry() }
        #expect(pauses.isHeld(at: now) == isHeld)
        #expect(pauses.todos(at: now) == todos)
        // Whoever waits for that finds something to be sent.
        let next = pauses.next(after: now)
        #expect((next == nil) == (!isHeld && todos.isEmpty))
        if let next { #expect(!pauses.isHeld(at: next) && (isHeld || pauses.todos(at: next) != todos)) }
    }

    @Test("grow with each failure, until something is done")
    func growing() throws {
        var (pauses, random, now) = (SendingPauses(), Longest(), ContinuousClock.now)
        var waits: [Duration] = []
        for _ in 0..<8 {
            pauses.take(Self.network, to: "t", at: now, using: &random)
            let next = try #require(pauses.next(after: now))
            waits.append(next - now)
            now = next
        }
        #expect(waits == waits.sorted() && waits[0] < .seconds(2) && waits[7] > .seconds(50), "\(waits)")
        pauses.take(Self.done, to: "t", at: now, using: &random)
        pauses.take(Self.network, to: "t", at: now, using: &random)
        #expect(try #require(pauses.next(after: now)) - now == waits[0])
    }
}
