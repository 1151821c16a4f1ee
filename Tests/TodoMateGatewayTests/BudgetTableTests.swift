import TestServers
import Testing

@testable import TodoMateGateway

@Suite("Budgets")
struct BudgetTableTests {
    private let start = ContinuousClock.now
    private func table(most: Int = 100) -> BudgetTable {
        BudgetTable(Budget(burst: 3, interval: .seconds(10)), most: most)
    }

    @Test("give so many at once, then one an interval, and say how long until then")
    func rate() {
        var table = table()
        for _ in 0..<3 { #expect(table.take("a", at: start) == nil) }
        #expect(table.take("a", at: start) == .seconds(10))
        #expect(table.take("a", at: start + .seconds(4)) == .seconds(6), "being refused takes nothing")
        #expect(table.wait("a", at: start + .milliseconds(9_999)) == .milliseconds(1))
        #expect(table.take("a", at: start + .seconds(10)) == nil)
        #expect(table.take("a", at: start + .seconds(10)) == .seconds(10))
        for _ in 0..<3 { #expect(table.take("a", at: start + .seconds(40)) == nil, "after a while all are back") }
        #expect(table.take("a", at: start + .seconds(40)) == .seconds(10), "and no more")
    }

    @Test("are each one's own")
    func keys() {
        var table = table()
        for _ in 0..<3 { #expect(table.take("a", at: start) == nil) }
        #expect(table.wait("a", at: start) != nil && table.wait("b", at: start) == nil)
        #expect(table.take("b", at: start) == nil)
    }

    @Test("take back what was given, one or all, and never more than was taken")
    func back() {
        var table = table()
        for _ in 0..<3 { #expect(table.take("a", at: start) == nil) }
        table.giveBack("a", at: start)
        #expect(table.take("a", at: start) == nil)
        #expect(table.take("a", at: start) != nil)
        table.forget("a")
        for _ in 0..<5 { table.giveBack("a", at: start) }
        #expect(table.count == 0, "what is whole takes no room")
        for _ in 0..<3 { #expect(table.take("a", at: start) == nil) }
        #expect(table.take("a", at: start) != nil)
    }

    @Test("can be spent from elsewhere, down to nothing and no further")
    func elsewhere() {
        var table = table()
        for _ in 0..<50 { table.spend("a", at: start) }
        #expect(table.wait("a", at: start) == .seconds(10))
    }

    @Test("are bounded in number: the last ones spent are remembered, whoever else comes")
    func bounded() {
        var table = table(most: 10)
        for _ in 0..<3 { table.spend("a", at: start) }
        for number in 0..<9 { table.spend("x\(number)", at: start) }
        #expect(table.wait("a", at: start) != nil)
        for number in 0..<10_000 {
            table.spend("y\(number)", at: start)
            #expect(table.count <= 20)
            // Who goes on is not forgotten.
            if number % 9 == 0 { table.spend("b", at: start) }
        }
        #expect(table.wait("a", at: start) == nil)
        #expect(table.wait("b", at: start) != nil)
    }

    @Test("never give more than they have, whatever happens in which order", arguments: 0..<20)
    func random(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var table = table()
        var (now, tokens) = (start, 3.0)
        for _ in 0..<2000 {
            let pause = Int.random(in: 0..<12, using: &random)
            now += .seconds(pause)
            tokens = min(3, tokens + Double(pause) / 10)
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where tokens <= 2:
                table.giveBack("a", at: now)
                tokens += 1
            case 1:
                table.spend("a", at: now)
                tokens = max(0, tokens - 1)
            default:
                let wait = table.take("a", at: now)
                #expect((wait == nil) == (tokens > 0.999_999), "of \(tokens)")
                if let wait { #expect(abs(wait / .seconds(10) - (1 - tokens)) < 1e-6) } else { tokens -= 1 }
            }
        }
    }
}
