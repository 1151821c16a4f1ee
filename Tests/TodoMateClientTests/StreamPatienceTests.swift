import Testing

@testable import TodoMateClient

@Suite("The patience with a stream")
struct StreamPatienceTests {
    @Test(
        "is short once a stream has begun, whatever heartbeat is wished",
        arguments: [(0, 2), (3, 3), (10, 10), (600, 60)]
    )
    func wished(_ wish: Int, _ heartbeat: Int) {
        let patience = StreamPatience(heartbeat: .seconds(wish))
        #expect(patience.heartbeat == .seconds(heartbeat))
        #expect(patience.time(hasHeard: true) == .seconds(heartbeat) * 5 / 3)
        #expect(patience.time(hasHeard: false) == .seconds(25))
    }

    @Test("doubles with each silence up to a bound, until a stream has lasted")
    func silences() {
        var patience = StreamPatience(heartbeat: .seconds(3))
        for factor in [2, 4, 8, 16] {
            patience.silent()
            #expect(patience.time(hasHeard: true) == .seconds(5 * factor))
        }
        for _ in 0..<100 { patience.silent() }
        #expect(patience.time(hasHeard: true) == StreamPatience.longest)
        #expect(patience.time(hasHeard: false) == StreamPatience.longest)
        patience.heard(at: .seconds(3))
        #expect(patience.time(hasHeard: true) == StreamPatience.longest, "it may be silent again")
        patience.heard(at: .seconds(26))
        #expect(patience.time(hasHeard: true) == .seconds(5))
    }

    @Test("is over for whoever hurries once a live stream would have said something")
    func stale() {
        var patience = StreamPatience(heartbeat: .seconds(10))
        for _ in 0..<3 {
            #expect(!patience.isStale(after: .seconds(12), hasHeard: true))
            #expect(patience.isStale(after: .seconds(13), hasHeard: true))
            #expect(!patience.isStale(after: .seconds(25), hasHeard: false), "a first answer may be long")
            #expect(patience.isStale(after: .seconds(26), hasHeard: false))
            patience.silent()
        }
    }
}
