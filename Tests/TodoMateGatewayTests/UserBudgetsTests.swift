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
}
