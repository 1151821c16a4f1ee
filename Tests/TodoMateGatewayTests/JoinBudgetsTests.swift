import Testing

@testable import TodoMateGateway

@Suite("Budgets of those who want in")
struct JoinBudgetsTests {
    private let now = ContinuousClock.now

    private func attempt(_ address: String = "192.0.2.1", near surroundings: String? = nil) -> JoinBudgets.Attempt {
        JoinBudgets.Attempt(address: address, surroundings: surroundings)
    }

    /// How many of `most` may try before one has to wait.
    private func count(
        _ budgets: inout JoinBudgets,
        _ ending: JoinBudgets.Ending,
        most: Int = 100,
        _ make: (Int) -> JoinBudgets.Attempt
    ) -> Int {
        for number in 0..<most {
            let attempt = make(number)
            guard budgets.wait(of: attempt, at: now) == nil else { return number }
            budgets.begin(attempt, at: now)
            budgets.end(attempt, ending, at: now)
        }
        return most
    }

    @Test("let an address make five accounts, and its surroundings twenty")
    func accounts() {
        var budgets = JoinBudgets()
        #expect(count(&budgets, .done) { _ in attempt(near: "192.0.2.0/24") } == 5)
        #expect(budgets.wait(of: attempt(near: "192.0.2.0/24"), at: now) == .seconds(720))
        #expect(count(&budgets, .done) { attempt("192.0.2.\($0 + 2)", near: "192.0.2.0/24") } == 15)
        #expect(budgets.wait(of: attempt("198.51.100.1", near: "198.51.100.0/24"), at: now) == nil)
        #expect(count(&budgets, .done) { _ in attempt() } == 100, "an invitation counts its uses itself")
        #expect(budgets.wait(of: attempt(near: "192.0.2.0/24"), at: now + .seconds(1440)) == nil)
    }

    @Test("let an address try thirty in vain, and give back what says nothing")
    func attempts() {
        for surroundings in [nil, "192.0.2.0/24"] as [String?] {
            var budgets = JoinBudgets()
            #expect(count(&budgets, .refused) { _ in attempt(near: surroundings) } == 100)
            #expect(count(&budgets, .wrong) { _ in attempt(near: surroundings) } == 30)
            #expect(budgets.wait(of: attempt(), at: now) == .seconds(60))
            #expect(budgets.wait(of: attempt("192.0.2.2"), at: now) == nil)
        }
    }

    @Test("count what is under way, so that many at once are no more than one after another")
    func atOnce() {
        var budgets = JoinBudgets()
        var begun = 0
        while budgets.wait(of: attempt(near: "192.0.2.0/24"), at: now) == nil, begun < 100 {
            budgets.begin(attempt(near: "192.0.2.0/24"), at: now)
            begun += 1
        }
        #expect(begun == 5)
    }

    @Test("count what other workers announce, and nothing that none can have sent")
    func announced() {
        var budgets = JoinBudgets()
        for ending in JoinBudgets.Ending.allCases {
            for _ in 0..<100 {
                let near = ending == .done ? "192.0.2.0/24" : nil
                budgets.receive(
                    JoinOutcome(worker: "w", from: "192.0.2.\(ending)", near: near, ending: ending),
                    at: now
                )
            }
        }
        #expect(budgets.wait(of: attempt("192.0.2.refused"), at: now) == nil)
        #expect(budgets.wait(of: attempt("192.0.2.wrong"), at: now) != nil)
        #expect(budgets.wait(of: attempt("192.0.2.done"), at: now) == nil)
        #expect(budgets.wait(of: attempt("192.0.2.9", near: "192.0.2.0/24"), at: now) != nil)
        let long = String(repeating: "x", count: 65)
        for (worker, from, near) in [
            ("", "a", "b"), ("w", "", nil), ("w", long, nil), ("w", "a", long), ("w", "a", ""),
        ] {
            #expect(!JoinOutcome(worker: worker, from: from, near: near, ending: .done).isSensible)
        }
        #expect(JoinOutcome(worker: "w", from: "a", near: nil, ending: .wrong).isSensible)
    }
}
