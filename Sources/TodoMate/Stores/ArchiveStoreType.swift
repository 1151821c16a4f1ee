package import EventLoop

/// Reads all that a user has, as `todomate export --with-profiles` writes it, but for the password's hash: settings, todos, who is
/// followed, follows, asks or is blocked, and reactions, a line of JSON each (``ArchiveLine``).
@LoopActor
package protocol ArchiveStoreType: AnyObject, Sendable {
    /// Hands over a user's archive a part at a time, and reads no further before a part is taken.
    ///
    /// What changes meanwhile may be there as before or after the change; what is there all the time is there once, or rarely twice.
    ///
    /// - Parameters:
    ///   - uid: whose archive.
    ///   - take: is given some whole lines; whether it wants more.
    func read(of uid: String, _ take: @escaping @LoopActor ([UInt8]) async -> Bool) async throws(TodoError)

    /// Writes todos of an archive. They keep their times and get new revisions; saying it again does nothing.
    ///
    /// - Parameters:
    ///   - todos: up to ``ArchiveOutcome/mostAtOnce`` lines, a todo each; its reactions are other people's, and are left out.
    ///   - uid: whose they are.
    ///   - replacing: whether a todo that is there under the same id gives way, rather than refuse the line.
    /// - Returns: what became of each line.
    func write(_ todos: [[UInt8]], of uid: String, replacing: Bool) async throws(TodoError) -> [ArchiveOutcome]
}

/// What became of a line of an archive that was read in.
package enum ArchiveOutcome: Sendable, Equatable {
    /// It is new.
    case added
    /// It took the place of another with its id.
    case replaced
    /// It was there already, the same.
    case unchanged
    /// It was refused, for this reason; nothing was written.
    case refused(String)

    /// Most todos that are written at once: more would hold others up.
    package static let mostAtOnce = 100
}

/// Puts lines together to parts that are worth sending.
@LoopActor
package final class ArchiveParts {
    private static let size = 64 * 1024

    private let take: @LoopActor ([UInt8]) async -> Bool
    private var bytes: [UInt8] = []
    /// Whether more is wanted.
    package private(set) var isWanted = true

    /// - Parameter take: is given each part; whether it wants more.
    package init(_ take: @escaping @LoopActor ([UInt8]) async -> Bool) { self.take = take }

    /// Adds a line.
    package func add(_ line: some Collection<UInt8>) async {
        guard isWanted else { return }
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.size { await hand() }
    }

    /// Hands over what is left.
    package func end() async {
        if isWanted, !bytes.isEmpty { await hand() }
    }

    private func hand() async {
        isWanted = await take(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
