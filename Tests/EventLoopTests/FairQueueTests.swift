import EventLoop
import Testing

@Suite("Turns between those who have work done")
struct FairQueueTests {
    @Test("go round, one piece of each")
    func turns() {
        var queue = FairQueue<String>(parallel: 1, most: 100, mostOfOne: 10)
        for job in ["a1", "a2", "a3", "b1", "b2", "c1"] {
            let isIn = queue.enter(String(job.prefix(1)))
            #expect(isIn)
            queue.add(job, for: String(job.prefix(1)))
        }
        var order: [String] = []
        while let (job, key) = queue.next() {
            let second = queue.next()
            #expect(second == nil, "one at a time")
            order.append(job)
            queue.finish(key)
            queue.leave(key)
        }
        #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(queue.places == 0)
    }

    @Test("leave a hand free that one alone has no right to")
    func oneHand() {
        var queue = FairQueue<Int>(parallel: 2, most: 100, mostOfOne: 10)
        for job in 1...3 {
            _ = queue.enter("a")
            queue.add(job, for: "a")
        }
        let first = [queue.next()?.job, queue.next()?.job]
        #expect(first == [1, nil], "one piece of a key at a time")
        _ = queue.enter("b")
        queue.add(4, for: "b")
        let other = queue.next()?.job
        #expect(other == 4)
        queue.finish("a")
        let next = queue.next()?.job
        #expect(next == 2)
    }

    @Test("are bounded in all and for each, places without work included")
    func bounds() {
        var queue = FairQueue<Int>(parallel: 1, most: 3, mostOfOne: 2)
        let isIn = ["a", "a", "a", "b", "c"].map { queue.enter($0) }
        #expect(isIn == [true, true, false, true, false])
        queue.leave("a")
        let isInNow = queue.enter("c")
        #expect(isInNow)
        #expect(queue.places == 3)
        for key in ["a", "b", "c"] { queue.leave(key) }
        let left = queue.next()
        #expect(queue.places == 0 && left == nil)
    }

    @Test("keeps an eighth more of its places for those who are known")
    func known() {
        var queue = FairQueue<Int>(parallel: 1, most: 16, mostOfOne: 2)
        let strangers = (0..<100).filter { queue.enter("stranger \($0)") }
        #expect(strangers.count == 16)
        #expect(queue.enter("known", isKnown: true) && queue.enter("known", isKnown: true))
        #expect(!queue.enter("known", isKnown: true) && !queue.enter("known 2", isKnown: true), "these are few as well")
        queue.leave("known")
        #expect(!queue.enter("stranger") && queue.enter("known 2", isKnown: true))
    }

    @Test("does each piece of work once, also of who is gone, or back with more, before the end of the last is noted")
    func backEarly() throws {
        enum Step: CaseIterable { case enterAndAdd, leave, next, finish }
        // All ways of eight steps that can happen, of one key.
        for number in 0..<(1 << 16) {
            var queue = FairQueue<Int>(parallel: 1, most: 4, mostOfOne: 2)
            var (held, added, running) = (0, 0, 0)
            var done: [Int] = []
            for place in 0..<8 {
                switch Step.allCases[number >> (place * 2) & 3] {
                case .enterAndAdd where queue.enter("a"):
                    held += 1
                    queue.add(added, for: "a")
                    added += 1
                case .leave where held > added - done.count:
                    held -= 1
                    queue.leave("a")
                case .next:
                    guard let (job, _) = queue.next() else { continue }
                    done.append(job)
                    running += 1
                case .finish where running > 0:
                    running -= 1
                    queue.finish("a")
                default: continue
                }
            }
            while running > 0 || queue.waiting > 0 {
                if running > 0 {
                    running -= 1
                    queue.finish("a")
                }
                guard let (job, _) = queue.next() else { break }
                done.append(job)
                running += 1
            }
            #expect(done == Array(0..<added), "\(number)")
            for _ in 0..<held { queue.leave("a") }
            try #require(queue.keys == 0, "\(number)")
        }
    }
}
