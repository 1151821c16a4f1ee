import Testing

@testable import TodoMateGateway

@Suite("Budgets of those who sign in")
struct SignInBudgetsTests {
    private let now = ContinuousClock.now

    /// Tries once; how long it has to wait, or nil when the password was looked at.
    private func attempt(
        _ budgets: inout SignInBudgets,
        _ account: String,
        from address: String,
        isKnown: Bool = false,
        _ ending: SignInBudgets.Ending = .wrong
    ) -> Duration? {
        if let wait = budgets.wait(of: address, for: account, at: now) { return wait }
        var attempt = budgets.begin(account, from: address, at: now)
        if let wait = budgets.judge(&attempt, isKnown: isKnown, at: now) { return wait }
        budgets.end(attempt, ending, at: now)
        return nil
    }

    /// How many of `most` attempts are looked at before one has to wait.
    private func looks(
        _ budgets: inout SignInBudgets,
        _ account: String,
        from address: String,
        isKnown: Bool = false,
        most: Int = 500
    ) -> Int {
        for number in 0..<most {
            guard attempt(&budgets, account, from: address, isKnown: isKnown) == nil else { return number }
        }
        return most
    }

    @Test("let an address try ten at one account, and sixty in all")
    func address() {
        var budgets = SignInBudgets()
        #expect(looks(&budgets, "alice", from: "x") == 10)
        #expect(attempt(&budgets, "alice", from: "x") == .seconds(30))
        for account in ["b", "c", "d", "e", "f"] { #expect(looks(&budgets, account, from: "x") == 10) }
        #expect(attempt(&budgets, "g", from: "x") == .seconds(5))
        #expect(budgets.wait(of: "x", at: now) == .seconds(5))
        #expect(attempt(&budgets, "alice", from: "y") == nil)
    }

    @Test("let strangers try a hundred together, and not count what was refused")
    func strangers() {
        var budgets = SignInBudgets()
        for number in 0..<10 { #expect(looks(&budgets, "alice", from: "x\(number)") == 10) }
        for number in 0..<50 { #expect(attempt(&budgets, "alice", from: "y\(number)", .right) == .seconds(3)) }
        #expect(attempt(&budgets, "bob", from: "y") == nil)
        // A moment later there is room for one, though many were refused meanwhile.
        var attempt = budgets.begin("alice", from: "z", at: now + .seconds(3))
        #expect(budgets.judge(&attempt, isKnown: false, at: now + .seconds(3)) == nil)
    }

    @Test("judge an address that signed in before by itself alone, and do not count it for the others")
    func known() {
        var budgets = SignInBudgets()
        for number in 0..<10 { #expect(looks(&budgets, "alice", from: "x\(number)") == 10) }
        #expect(looks(&budgets, "alice", from: "home", isKnown: true) == 10)
        #expect(attempt(&budgets, "alice", from: "home", isKnown: true) == .seconds(30), "it has its own ten")
        var others = SignInBudgets()
        for number in 0..<30 { #expect(looks(&others, "alice", from: "home\(number)", isKnown: true) == 10) }
        #expect(attempt(&others, "alice", from: "y") == nil)
    }

    @Test("take nothing from a stranger's pair that had to wait for the account, and one from the address")
    func refused() {
        var budgets = SignInBudgets()
        for number in 0..<10 { #expect(looks(&budgets, "alice", from: "x\(number)") == 10) }
        for _ in 0..<60 { #expect(attempt(&budgets, "alice", from: "y") == .seconds(3)) }
        #expect(attempt(&budgets, "alice", from: "y") == .seconds(5), "each asked Redis")
        #expect(budgets.wait(of: "y", for: "alice", at: now + .seconds(5)) == nil, "its ten are all there")
    }

    @Test("give back what was right")
    func givenBack() {
        var budgets = SignInBudgets()
        for number in 0..<500 {
            #expect(attempt(&budgets, "alice", from: "x", .right) == nil)
            #expect(attempt(&budgets, "alice", from: "x\(number % 3)", isKnown: true, .right) == nil)
        }
        #expect(looks(&budgets, "alice", from: "x") == 10)
        for number in 0..<9 { #expect(looks(&budgets, "alice", from: "y\(number)") == 10) }
        #expect(attempt(&budgets, "alice", from: "z") == .seconds(3))
    }

    @Test("forget what an address got wrong at an account once it is right there, and nothing else")
    func right() {
        var budgets = SignInBudgets()
        #expect(looks(&budgets, "alice", from: "x", most: 5) == 5)
        #expect(looks(&budgets, "bob", from: "x", most: 9) == 9)
        for _ in 0..<200 { #expect(attempt(&budgets, "alice", from: "x", .right) == nil, "being right is free") }
        #expect(looks(&budgets, "alice", from: "x") == 10)
        #expect(looks(&budgets, "bob", from: "x") == 1)
        for account in ["c", "d", "e"] { #expect(looks(&budgets, account, from: "x") == 10) }
        #expect(looks(&budgets, "f", from: "x") == 5, "the address keeps its wrong ones")
    }

    @Test("count many at once like many one after another")
    func parallel() {
        var budgets = SignInBudgets()
        for _ in 0..<10 {
            #expect(budgets.wait(of: "x", for: "alice", at: now) == nil)
            _ = budgets.begin("alice", from: "x", at: now)
        }
        #expect(budgets.wait(of: "x", for: "alice", at: now) == .seconds(30))
    }

    @Test("hear of other workers' wrong and right ones")
    func heard() {
        var budgets = SignInBudgets()
        func receive(_ account: String, _ from: String, isRight: Bool = false, isKnown: Bool = false, times: Int = 1) {
            let outcome = SignInOutcome(
                worker: "w",
                account: account,
                from: from,
                isRight: isRight,
                isKnown: isKnown
            )
            for _ in 0..<times { budgets.receive(outcome, at: now) }
        }
        receive("alice", "x", times: 10)
        #expect(attempt(&budgets, "alice", from: "x") == .seconds(30))
        receive("alice", "x", isRight: true)
        #expect(looks(&budgets, "alice", from: "x", most: 3) == 3)
        receive("bob", "y", isKnown: true, times: 200)
        #expect(attempt(&budgets, "bob", from: "z") == nil, "what an address that is known gets wrong is its own")
        receive("carol", "y", times: 100)
        #expect(attempt(&budgets, "carol", from: "z") == .seconds(3))
        #expect(budgets.wait(of: "y", at: now) == .seconds(5))
    }

    @Test("are not spent by what no worker says")
    func sense() {
        func outcome(_ account: String, _ from: String) -> SignInOutcome {
            SignInOutcome(worker: "w", account: account, from: from, isRight: false, isKnown: false)
        }
        #expect(outcome("a", "b").isSensible)
        #expect(!outcome("", "b").isSensible && !outcome("a", String(repeating: "x", count: 65)).isSensible)
    }
}
