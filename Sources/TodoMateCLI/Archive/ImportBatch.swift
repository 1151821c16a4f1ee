import EventLoop
import TodoMate

/// Lines of one user that are written together: todos, entries of the user's lists, or one profile.
struct ImportBatch: Sendable {
    /// What became of a batch.
    struct Answer: Sendable {
        let batch: ImportBatch
        let result: Result<[ArchiveOutcome], TodoError>
    }

    let uid: String
    var lines: [[UInt8]] = []
    var numbers: [Int] = []
    var links: [ArchiveLink] = []
    var profile: [String: String]?

    /// The number of its first line.
    var firstLine: Int { numbers.first ?? .max }

    /// Writes it; batches go out in the order in which this is called, but a cluster may carry them out in another.
    func task(in archive: any ImportTarget, replacing: Bool) -> Task<Answer, Never> {
        Task { @LoopActor in
            do throws(TodoError) {
                let outcomes =
                    if let profile {
                        [try await archive.importProfile(profile, of: uid, replacing: replacing)]
                    } else if !links.isEmpty {
                        try await archive.importLinks(links, of: uid, replacing: replacing)
                    } else {
                        try await archive.importTodos(lines, of: uid, replacing: replacing)
                    }
                return Answer(batch: self, result: .success(outcomes))
            } catch {
                return Answer(batch: self, result: .failure(error))
            }
        }
    }
}
