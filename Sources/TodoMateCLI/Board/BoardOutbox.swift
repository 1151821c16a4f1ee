import EventLoop
import TodoMate
import TodoMateClient

/// What was done on a board and the server may not have.
@LoopActor
protocol BoardOutbox: AnyObject {
    /// In the order in which it was done.
    var pendingChanges: [PendingChange] { get }
    /// Tries once more what was refused.
    func retry(_ change: PendingChange) throws(TodoError)
    /// Gives up what was refused.
    func discard(_ change: PendingChange) throws(TodoError)
    /// Tries at once what waits.
    func hurry()
}

extension TodoClient: BoardOutbox {}
