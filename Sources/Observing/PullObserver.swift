/// Is notified that something changed, and reads just what it needs from the source: the pull form of the observer pattern.
///
///     @LoopActor
///     final class Badge: @LoopActor PullObserver {
///         func update(from source: OpenTodos) { print("\(source.contents.count) open") }
///     }
public protocol PullObserver<Source>: AnyObject {
    /// What it reads from.
    associatedtype Source

    /// The source has changed, once or several times: read its present state.
    func update(from source: Source)
}

extension Subject {
    /// Has `observer` update from `source` at each event for `topic`.
    ///
    /// The source is held weakly as well: it usually owns this subject.
    ///
    /// - Returns: false when it was there already.
    @discardableResult
    public func add<Source: AnyObject>(
        _ observer: some PullObserver<Source>,
        of source: Source,
        for topic: Topic
    ) -> Bool {
        add(observer, for: topic) { [weak source] observer, _ in
            if let source { observer.update(from: source) }
        }
    }
}

extension Subject where Event == Void {
    /// Notifies the observers of `topic` that something changed.
    public func notify(_ topic: Topic) { _ = notify((), to: topic) }
}
