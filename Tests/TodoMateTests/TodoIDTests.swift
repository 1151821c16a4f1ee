import Testing
import TodoMate

@Suite("An id for a new todo")
struct TodoIDTests {
    @Test("is within the bounds, is no option of a command line, and comes once")
    func ids() throws {
        let ids = (0..<2000).map { _ in TodoID.random() }
        for id in ids {
            #expect(try TodoBounds.id(id) == id)
            #expect(id.count == 22 && !id.hasPrefix("-"))
        }
        #expect(Set(ids).count == ids.count)
    }
}
