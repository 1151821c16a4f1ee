import EventLoop
import Testing

@Suite("Turns that last until they are let go of")
@LoopActor
struct FairTurnsTests {
    @Test("come to one key after another, and to others meanwhile")
    func turns() async throws {
        let turns = FairTurns(parallel: 2, parallelOfOne: 1, most: 10, mostOfOne: 5)
        var first = await turns.turn(for: "a")
        var order: [String] = []
        var held: [FairTurn?] = []
        for key in ["a", "a", "b", "c"] {
            Task {
                held.append(await turns.turn(for: key))
                order.append(key)
            }
        }
        try await LoopActor.giveWay(until: "b has the other place") { order == ["b"] }
        #expect(turns.places == 5 && first != nil)
        first = nil
        try await LoopActor.giveWay(until: "the next goes on") { order.count == 2 }
        for count in 3...4 {
            held.removeAll()
            try await LoopActor.giveWay(until: "the next comes") { order.count == count }
        }
        held.removeAll()
        try await LoopActor.giveWay(until: "all places are given back") { turns.places == 0 }
        #expect(order.first == "b" && order.sorted() == ["a", "a", "b", "c"])
        // c has waited for less than the second of a.
        #expect(order.lastIndex(of: "a")! > order.firstIndex(of: "c")!)
    }

    @Test("are refused at once when too many wait")
    func full() async throws {
        let turns = FairTurns(parallel: 1, most: 3, mostOfOne: 2)
        var held = [await turns.turn(for: "a")]
        for (key, places) in [("a", 2), ("b", 3)] {
            Task { held.append(await turns.turn(for: key)) }
            try await LoopActor.giveWay(until: "\(key) waits") { turns.places == places }
            #expect(await turns.turn(for: "a") == nil, "one has as many as one may")
        }
        #expect(await turns.turn(for: "c") == nil, "there is no place for anybody")
        for places in [2, 1, 0] {
            #expect(held.count == 1 && held[0] != nil)
            held.removeAll()
            try await LoopActor.giveWay(until: "the next has come") {
                turns.places == places && held.count == min(places, 1)
            }
        }
    }
}
