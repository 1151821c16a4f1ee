import EventLoop
import TodoMate

/// What is known of a board from an earlier run.
struct StoredBoard: Sendable, Equatable {
    /// What the server showed of each user.
    var shares: [String: MirroredShare] = [:]
    /// The place that was reached; nil for none.
    var cursor: String?
}

/// Keeps what a board knows from one run to the next.
///
/// Each call is one step that is done as a whole or not at all, so that the cursor never names what is not there.
@LoopActor
protocol BoardStorage: AnyObject {
    /// What there is.
    var board: StoredBoard { get }
    /// A share begins, or begins anew.
    func begin(_ uid: String, _ share: MirroredShare, _ cursor: String?) throws(TodoError)
    /// A share has come to a change.
    ///
    /// - Parameters:
    ///   - uid: whose share.
    ///   - todo: the id of the todo that is another one now; nil for none.
    ///   - state: the todo; nil where it is gone.
    ///   - id: the last change that is part of the share.
    ///   - cursor: the place that is reached; nil for the one before.
    func apply(_ uid: String, _ todo: String?, _ state: Todo?, _ id: ChangeID, _ cursor: String?) throws(TodoError)
    /// Another place is reached, without a change of what is shown; nil for none.
    func reached(_ cursor: String?) throws(TodoError)
    /// A share is not watched any more.
    func forget(_ uid: String) throws(TodoError)
}
