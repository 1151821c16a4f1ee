import EventLoop
import TodoMate
import TodoMateRedis

/// What becomes of one owner's share of a board.
@LoopActor
protocol BoardShareSink: AnyObject {
    /// The share begins, or begins anew: all that was known of the owner's todos is replaced.
    func share(_ share: BoardShare, began read: ReadList, _ access: Access)
    /// The reader was there before, and goes on after a change.
    func share(
        _ share: BoardShare,
        resumed last: ChangeID,
        _ access: Access,
        with sights: [(TodoChange, ChangeView)],
        in turn: FairTurn?
    )
    /// The reader is to be told of a change.
    func share(_ share: BoardShare, tells change: TodoChange, _ view: ChangeView)
    /// A change happened of which the reader is not to be told.
    func share(_ share: BoardShare, passes change: TodoChange, _ id: ChangeID)
    /// The reader may see nothing (more) of the owner.
    func shareEnded(_ share: BoardShare)
}

/// How a change is told.
struct ChangeView: Hashable {
    /// As what.
    var kind: ChangeKind
    /// Whether the todo is told by its id alone.
    var isRedacted = false

    init(kind: ChangeKind, isRedacted: Bool = false) { (self.kind, self.isRedacted) = (kind, isRedacted) }

    /// How a change of a kind is told where it is seen so; nil where it is not.
    init?(_ sight: ChangeSight, _ kind: ChangeKind) {
        switch sight {
        case .asItIs: self.init(kind: kind)
        case .asAdded: self.init(kind: .added)
        case .asRemoved: self.init(kind: .removed, isRedacted: true)
        case .hidden: return nil
        }
    }
}
