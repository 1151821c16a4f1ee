import EventLoop
import TodoMate

/// Lets new users know who asked to follow their names before, one after the other and behind the answer: it looks at the keys
/// of all users. What is lost with the worker, `todomate doctor --repair` finds.
@LoopActor
final class WishDelivery {
    private static let most = 1000

    private let relations: any RelationStoreType
    private let log: Logger
    private var waiting: [String] = []
    private var isDelivering = false

    init(_ relations: any RelationStoreType, _ log: Logger) { (self.relations, self.log) = (relations, log) }

    func deliver(to uid: String) {
        guard waiting.count < Self.most else { return }
        waiting.append(uid)
        guard !isDelivering else { return }
        isDelivering = true
        Task {
            while !waiting.isEmpty {
                let uid = waiting.removeFirst()
                do throws(TodoError) {
                    try await relations.settleWishes(for: uid)
                } catch {
                    let advice = "'todomate doctor --repair' finds who asked to follow this user before"
                    log.warning(advice, ["uid": uid, "reason": error.description])
                }
            }
            isDelivering = false
        }
    }
}
