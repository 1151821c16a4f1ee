import EventLoop
import TodoMate

/// How the people of a board are called, as far as its viewer may know. Nobody tells when that changes: it is read now and then.
@LoopActor
final class KnownPeople {
    private static let interval = Duration.seconds(60)

    private let uids: [String]
    private let viewer: String?
    private let relations: any RelationStoreType
    private var people: [String: PublicPerson] = [:]
    private var timer: LoopTimer?
    private var isReading = false
    /// Called when something is known otherwise than before.
    var onChange: () -> Void = {}

    /// - Parameters:
    ///   - uids: whose names.
    ///   - viewer: who looks; nil for an operator, who may know them all.
    ///   - relations: where they stand.
    init(_ uids: [String], asKnownTo viewer: String?, from relations: any RelationStoreType) {
        (self.uids, self.viewer, self.relations) = (uids, viewer, relations)
    }

    /// Somebody as they are known by now.
    subscript(uid: String) -> PublicPerson { people[uid] ?? PublicPerson(uid: uid) }

    func open() {
        timer = LoopTimer { [weak self] in self?.read() }
        read()
    }

    func close() {
        timer?.cancel()
        timer = nil
    }

    /// Reads them anew, as after a time without a connection.
    func read() {
        guard timer != nil, !isReading else { return }
        isReading = true
        Task {
            do throws(TodoError) {
                var found: [String: PublicPerson] = [:]
                for uid in uids { found[uid] = try await relations.person(uid, asKnownTo: viewer ?? uid) }
                if found != people {
                    people = found
                    onChange()
                }
            } catch {
                // Without names the board is as good as before, and it says itself that Redis is away.
            }
            isReading = false
            timer?.start(after: Self.interval)
        }
    }
}
