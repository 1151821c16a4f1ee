import EventLoop
import TodoMate
import TodoMateClient
import TodoMateRedis

/// Where an import writes: a Redis, or one's own account at a server.
@LoopActor
protocol ImportTarget: AnyObject, Sendable {
    /// Writes up to ``ArchiveOutcome/mostAtOnce`` todos of one user, given as lines; saying it again does nothing.
    func importTodos(_ lines: [[UInt8]], of uid: String, replacing: Bool) async throws(TodoError) -> [ArchiveOutcome]
    /// Writes what a profile holds.
    func importProfile(_ fields: [String: String], of uid: String, replacing: Bool) async throws(TodoError)
        -> ArchiveOutcome
    /// Writes up to as many entries of one user's lists.
    func importLinks(_ links: [ArchiveLink], of uid: String, replacing: Bool) async throws(TodoError)
        -> [ArchiveOutcome]
    /// Has the sides of a user's pairs meet that an import has left half-way.
    func settle(_ uid: String) async throws(TodoError)
    /// Has nothing waited for any more that can be said again.
    func endWaiting()
    /// How many lines were left to others, who decide about them.
    var leftOut: Int { get }
}

extension RedisArchive: ImportTarget {
    var leftOut: Int { 0 }
    /// Nothing: it waits for its own timeout alone.
    func endWaiting() {}
}

extension ServerArchive: ImportTarget {
    /// Nothing: the server does so itself.
    func settle(_ uid: String) async throws(TodoError) {}
}
