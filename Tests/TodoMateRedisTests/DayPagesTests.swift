import EventLoop
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateRedis

@Suite("Pages of a list's ids, while others write")
@LoopActor
struct DayPagesTests {
    /// The index of days, as Redis keeps it, and who was written to.
    private final class Index {
        private var days: [String: Int] = [:]
        private(set) var written: Set<String> = []
        private(set) var reads = 0

        init(_ days: [String: Int]) { self.days = days }

        var ids: [String] { days.keys.sorted { (days[$0] ?? 0, $0) < (days[$1] ?? 0, $1) } }

        func set(_ id: String, to day: Int?) {
            days[id] = day
            written.insert(id)
        }

        func page(_ start: Int, _ count: Int) -> [DayPages.Entry] {
            reads += 1
            let rest = ids.dropFirst(start)
            return (count < 0 ? rest : rest.prefix(count)).map {
                DayPages.Entry(id: Array($0.utf8), day: Array("\(days[$0] ?? 0)".utf8))
            }
        }
    }

    private func read(_ index: Index, size: Int, _ between: (Int) -> Void) async throws -> [String] {
        let ids = try await DayPages.ids(size: size) { (start, count) throws(TodoError) in
            defer { between(index.reads) }
            return index.page(start, count)
        }
        return ids.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("have each id once and in order while nobody writes", arguments: 0...13, 1...5)
    func quiet(_ count: Int, _ size: Int) async throws {
        let index = Index(Dictionary(uniqueKeysWithValues: (0..<count).map { ("t\($0)", $0 % 3) }))
        #expect(try await read(index, size: size) { _ in } == index.ids)
        #expect(index.reads <= count / size + 1)
    }

    @Test("have all that is behind a todo that moved on while another one went")
    func moved() async throws {
        let index = Index(["a": 1, "last": 10, "between": 11, "z": 20])
        let ids = try await read(index, size: 2) { reads in
            guard reads == 1 else { return }
            index.set("a", to: nil)
            index.set("last", to: 12)
        }
        #expect(ids.contains("between") && ids.contains("z"))
    }

    @Test("have all that nobody wrote to, whatever is written between two of them", arguments: 0..<3000)
    func walk(_ seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        let count = Int.random(in: 0...12, using: &random)
        let first = (0..<count).map { ("t\($0)", Int.random(in: 1...5, using: &random)) }
        let index = Index(Dictionary(uniqueKeysWithValues: first))
        let ids = try await read(index, size: Int.random(in: 1...4, using: &random)) { _ in
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let id = "t\(Int.random(in: 0...14, using: &random))"
                index.set(
                    id,
                    to: Int.random(in: 0...6, using: &random) == 0 ? nil : Int.random(in: 1...5, using: &random)
                )
            }
        }
        for (id, _) in first where !index.written.contains(id) {
            #expect(ids.count { $0 == id } == 1, "\(id) of \(ids)")
        }
    }
}
