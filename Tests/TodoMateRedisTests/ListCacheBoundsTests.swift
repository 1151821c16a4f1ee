import EventLoop
import Testing

@testable import TodoMate
@testable import TodoMateRedis

@Suite("Lists that are kept")
@LoopActor
struct ListCacheBoundsTests {
    private func key(_ number: Int) -> ListCache.Key {
        let day = CalendarDate.earliest.adding(days: number)
        return ListCache.Key(uid: "alice", days: day...day)
    }

    @Test("are bounded also where nothing is in them, and none holds up the loop")
    func empty() throws {
        var cache = ListCache()
        let empty = try TodoList(Array(#"{"id":"58-9","todos":[]}"#.utf8), in: nil)
        for number in 0..<100_000 {
            cache.keep(empty, key(number))
            #expect(cache.count <= 20_000)
        }
        #expect(cache.list(key(99_999)) === empty)
    }

    @Test("are let go of once their time is over, also when nobody asks for them again")
    func old() throws {
        var cache = ListCache()
        let list = try TodoList(Array(#"{"id":"58-9","todos":[]}"#.utf8), in: nil)
        for number in 0..<100 { cache.keep(list, key(number), for: .zero) }
        cache.keep(list, key(100), for: .seconds(60))
        cache.sweep(at: .now + .seconds(11))
        #expect(cache.count == 1 && cache.list(key(100)) === list)
    }
}
