import EventLoop
import TodoMate

/// Reads the ids of todos in the order of their days, in pages, while others write: an answer of ten thousand words takes
/// milliseconds to read.
///
/// Each page begins with the last entry of the one before. While that is in its place on its day, all that has not been written
/// meanwhile is behind it still; what was written is in the log. Where it is not, all is read at once.
@LoopActor
enum DayPages {
    /// A todo in the index of days.
    struct Entry: Equatable {
        let id: [UInt8]
        /// As the index has it.
        let day: [UInt8]
    }

    /// - Parameters:
    ///   - size: how many entries a page has.
    ///   - page: reads so many entries from a place on; with -1, all of them.
    static func ids(
        size: Int = 500,
        _ page: (_ start: Int, _ count: Int) async throws(TodoError) -> [Entry]
    ) async throws(TodoError) -> [[UInt8]] {
        var entries = try await page(0, size)
        while entries.count % size == 0, let last = entries.last {
            let next = try await page(entries.count - 1, size + 1)
            guard next.first == last else { return try await page(0, -1).map(\.id) }
            guard next.count > 1 else { break }
            entries += next.dropFirst()
        }
        return entries.map(\.id)
    }
}
