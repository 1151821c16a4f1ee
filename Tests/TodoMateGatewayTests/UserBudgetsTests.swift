import EventLoop
import HTTPServing
import Testing

@testable import TodoMateGateway

@Suite("What a user may do for long")
@LoopActor
struct UserBudgetsTests {
    private let start = ContinuousClock.now

    /// How often something can be done at once, and how long to wait then.
    private func spend(
        _ budgets: UserBudgets,
        _ write: UserBudgets.Write,
        by uid: String = "alice",
        after time: Duration = .zero
    ) -> (count: Int, retryAfter: String?) {
        var count = 0
        while count < 10_000 {
            do throws(Problem) {
                try budgets.take(write, by: uid, at: start + time)
                count += 1
            } catch {
                #expect(error.kind == .tooManyRequests && error.kind.status == 429)
                return (count, error.headers["Retry-After"])
            }
        }
        return (count, nil)
    }

    @Test("counts what one request wrote besides the todo that it was let in for")
    func charge() throws {
        let budgets = UserBudgets(writesPerSecond: 20)
        let all = spend(budgets, .todo, by: "bob").count
        try budgets.take(.todo, by: "alice", at: start)
        budgets.charge("alice", todos: all - 11, aMinute: nil, at: start)
        #expect(spend(budgets, .todo).count == 10)
        // More than is left is owed, but not for ever.
        budgets.charge("carol", todos: 10 * all, aMinute: nil, at: start)
        #expect(spend(budgets, .todo, by: "carol").count == 0)
        #expect(spend(budgets, .todo, by: "carol", after: .seconds(60)).count == all)
        // Nobody is limited but by an operator.
        let unlimited = UserBudgets(writesPerSecond: nil)
        unlimited.charge("alice", todos: 1000, aMinute: nil, at: start)
        #expect(spend(unlimited, .todo).count == 10_000)
    }

    @Test("is what an operator allows a user in place of what all may, from one write to the next")
    func own() throws {
        let budgets = UserBudgets(writesPerSecond: 20)
        func count(_ aMinute: Int?, by uid: String, after time: Duration) -> Int {
            var count = 0
            while count < 10_000, (try? budgets.take(.todo, by: uid, todosAMinute: aMinute, at: start + time)) != nil {
                count += 1
            }
            return count
        }
        for (aMinute, atOnce) in [(1, 1), (2, 1), (60, 30), (6000, 3000), (nil, 600)] as [(Int?, Int)] {
            let uid = "user\(aMinute ?? 0)"
            #expect(count(aMinute, by: uid, after: .zero) == atOnce)
            #expect(count(aMinute, by: uid, after: .seconds(60)) == min(atOnce, aMinute ?? .max))
        }
        // From little to much, and back: nobody waits for what another budget would have taken.
        #expect(count(1, by: "alice", after: .zero) == 1)
        #expect(count(nil, by: "alice", after: .seconds(1)) > 0)
        #expect(count(1, by: "alice", after: .seconds(62)) == 1)
    }

    @Test("is so much at once, and then as much as time brings")
    func kinds() {
        let budgets = UserBudgets(writesPerSecond: 20)
        let cases: [(UserBudgets.Write, Int, String, Duration)] = [
            (.todo, 600, "1", .milliseconds(50)), (.settings, 30, "2", .seconds(2)),
            (.relation(with: "bob"), 8, "30", .seconds(30)), (.reaction(to: "bob"), 40, "5", .seconds(5)),
            (.feed, 120, "1", .milliseconds(500)),
        ]
        for (write, most, retryAfter, interval) in cases {
            let first = spend(budgets, write)
            #expect(first.count == most && first.retryAfter == retryAfter, "\(write)")
            #expect(spend(budgets, write, after: interval - .milliseconds(1)).count == 0, "\(write)")
            #expect(spend(budgets, write, after: interval).count == 1, "\(write)")
            #expect(spend(budgets, write, by: "carol").count == most, "nobody pays for somebody else")
        }
    }

    @Test("has room for others when one pair has none, and an end over all pairs")
    func pairs() {
        let budgets = UserBudgets(writesPerSecond: 20)
        #expect(spend(budgets, .relation(with: "u0")).count == 8)
        var all = 8
        for number in 1...20 {
            let (count, _) = spend(budgets, .relation(with: "u\(number)"))
            all += count
            #expect(count <= 8)
        }
        #expect(all == 60, "what a pair was refused costs nothing")
        #expect(spend(budgets, .reaction(to: "u0")).count == 40, "reactions are another budget")
        #expect(spend(budgets, .relation(with: "alice"), by: "u0").count == 8, "the other direction is another pair")
    }

    @Test("lets wait who goes on though refused, and nobody else")
    func refusals() {
        let budgets = UserBudgets(writesPerSecond: 20)
        for _ in 0..<120 { #expect(budgets.waitOfRefusal("mallory", at: start) == nil) }
        for _ in 0..<10 {
            let wait = budgets.waitOfRefusal("mallory", at: start)
            #expect(wait.map { (.milliseconds(500) ... .milliseconds(1500)).contains($0) } == true)
        }
        #expect(budgets.waitOfRefusal("alice", at: start) == nil)
        #expect(budgets.waitOfRefusal("mallory", at: start + .milliseconds(500)) == nil, "one more for half a second")
    }

    @Test(
        "is announced once a twentieth of it is spent, and counts at the worker that hears of it",
        arguments: [
            (UserBudgets.Write.todo, "todos", 30, 600), (.settings, "settings", 1, 30), (.feed, "feeds", 6, 120),
        ]
    )
    func announced(_ write: UserBudgets.Write, _ kind: String, _ much: Int, _ most: Int) throws {
        let (here, there) = (UserBudgets(writesPerSecond: 20), UserBudgets(writesPerSecond: 20))
        var asked = 0
        here.onMuchSpent = { asked += 1 }
        for count in 1...(much + 2) {
            try here.take(write, by: "alice", at: start)
            #expect((asked > 0) == (count >= much), "\(count)")
        }
        let entries = here.takeSpent()
        #expect(entries.map(\.kind.rawValue) == [kind])
        #expect(entries.map(\.key) == ["alice"] && entries.map(\.count) == [much + 2])
        #expect(here.takeSpent().isEmpty, "nothing is announced twice")
        for entry in entries { there.spend(entry, at: start) }
        #expect(spend(there, write).count == most - much - 2)
        #expect(spend(there, write, by: "bob").count == most)
    }

    @Test("of a pair is announced with that of the person, and what is too little stays to be added to")
    func announcedPairs() throws {
        let (here, there) = (UserBudgets(writesPerSecond: 20), UserBudgets(writesPerSecond: 20))
        here.onMuchSpent = {}
        for _ in 0..<2 { try here.take(.relation(with: "bob"), by: "alice", at: start) }
        let pairs = here.takeSpent()
        #expect(pairs.map(\.kind) == [.relationsOfPair] && pairs.map(\.key) == ["alice bob"])
        try here.take(.relation(with: "carol"), by: "alice", at: start)
        let all = here.takeSpent()
        #expect(all.first { $0.kind == .relations }?.count == 3)
        for entry in pairs + all { there.spend(entry, at: start) }
        #expect(spend(there, .relation(with: "bob")).count == 6)
        #expect(spend(there, .relation(with: "dave")).count == 8)
    }

    @Test("of hundreds at a time is announced in parts")
    func manySpenders() throws {
        let budgets = UserBudgets(writesPerSecond: 20)
        var asked = 0
        budgets.onMuchSpent = { asked += 1 }
        for number in 0..<600 { try budgets.take(.settings, by: "u\(number)", at: start) }
        var parts: [Int] = []
        while asked > 0 {
            asked = 0
            parts.append(budgets.takeSpent().count)
        }
        #expect(parts == [256, 256, 88])
    }

    @Test("counts for nothing when it is no announcement that a worker makes")
    func senseless() {
        func announcement(_ worker: String, _ key: String, _ count: Int, _ entries: Int = 1) -> SpentBudgets {
            let entry = SpentBudgets.Entry(kind: .todos, key: key, count: count)
            return SpentBudgets(worker: worker, spent: Array(repeating: entry, count: entries))
        }
        #expect(announcement("w", "alice", 1).isSensible)
        #expect(announcement("w", "alice", 1000, SpentBudgets.most).isSensible)
        #expect(announcement("w", "alice", 1, 0).isSensible)
        for senseless in [
            announcement("", "alice", 1), announcement(String(repeating: "w", count: 65), "alice", 1),
            announcement("w", "", 1), announcement("w", String(repeating: "a", count: 130), 1),
            announcement("w", "alice", 0), announcement("w", "alice", -1), announcement("w", "alice", 1001),
            announcement("w", "alice", 1, SpentBudgets.most + 1),
        ] {
            #expect(!senseless.isSensible, "\(senseless)")
        }
    }
}
