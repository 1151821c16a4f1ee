package import EventLoop

/// Is notified of what becomes of one owner's share.
@LoopActor
package protocol ShareObserver: AnyObject {
    /// The share begins, or begins again: all that was known of the owner's todos is replaced by those that the access covers.
    ///
    /// - Parameter read: nil for a share of changes alone.
    func share(_ share: Share, began read: ReadList?, _ access: Access)
    /// The reader resumes after a change.
    func share(
        _ share: Share,
        resumed last: ChangeID,
        _ access: Access,
        with views: [(change: TodoChange, view: ChangeView)],
        in turn: FairTurn?
    )
    /// A change is delivered.
    func share(_ share: Share, delivers change: TodoChange, _ view: ChangeView)
    /// A change happened that the reader is not shown.
    func share(_ share: Share, passes change: TodoChange, _ id: ChangeID)
    /// The reader may see nothing (more) of the owner.
    func shareEnded(_ share: Share)
}
