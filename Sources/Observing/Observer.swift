/// Is notified of events: the push form of the observer pattern.
///
/// Conform to it where the events are handed over whole; an observer that rather asks for what it needs is a
/// ``PullObserver``.
public protocol Observer<Event>: AnyObject {
    /// What it is told.
    associatedtype Event

    /// Takes an event. It may add and remove observers, itself included, and notify again.
    func receive(_ event: Event)
}
