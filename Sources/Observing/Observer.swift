/// Is notified of events: the push form of the observer pattern.
///
/// Conform to it where each event matters; an observer that pulls what it needs is a
/// ``PullObserver``.
///
///     final class Customer: Observer {
///         let id: String
///         init(id: String) { self.id = id }
///         func receive(_ message: String) { print("\(id)님 \(message)수신\n") }
///     }
public protocol Observer<Event>: AnyObject {
    /// What it is notified of.
    associatedtype Event

    /// Receives an event. It may add and remove observers, itself included, and notify again.
    func receive(_ event: Event)
}
