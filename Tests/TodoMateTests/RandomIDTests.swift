import Testing
import TodoMate

@Suite("An id by chance")
struct RandomIDTests {
    @Test("is within the bounds, is no option of a command line, and comes once")
    func ids() throws {
        let ids = (0..<2000).map { _ in RandomID.next() }
        for id in ids {
            #expect(try TodoBounds.id(id) == id)
            #expect(id.count == 22 && !id.hasPrefix("-"))
        }
        #expect(Set(ids).count == ids.count)
    }
}
