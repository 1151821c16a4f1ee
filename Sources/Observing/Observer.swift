/// Is notified of events: the push form of the observer pattern.
///
/// Conform to it where the events are handed over whole; an observer that rather asks for what it needs is a
/// ``PullObserver``.
///
///     final class Customer: Observer {
///         let id: String
///         init(id: String) { self.id = id }
///         func receive(_ message: String) { print("\(id)님 \(message)수신\n") }
///     }
public protocol Observer<Event>: AnyObject {
    /// What it is told.
    associatedtype Event

    /// Takes an event. It may add and remove observers, itself included, and notify again.
    func receive(_ event: Event)
}
