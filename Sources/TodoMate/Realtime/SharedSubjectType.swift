package import EventLoop
package import Observing

/// A subject whose notifications reach the observers of a topic in all processes that share it.
@LoopActor
package protocol SharedSubjectType<Event>: AnyObject {
    /// What is posted.
    associatedtype Event: Codable & Sendable

    /// Notifies `observer` of every event posted to `topic` from now on; it is held weakly.
    func add(_ observer: some Observer<Event>, for topic: String)

    /// Notifies `observer` of nothing more of `topic`.
    func remove(_ observer: some Observer<Event>, for topic: String)

    /// Notifies the observers of `topic`, in this process and in all others.
    ///
    /// - Returns: the number of processes that received it.
    @discardableResult
    func post(_ event: Event, to topic: String) async throws(SharedSubjectError) -> Int

    /// Called on the loop with a topic whose connection was lost: until it is back, nothing of it is delivered here.
    var onLoss: ((_ topic: String) -> Void)? { get set }
}

/// Why an event could not be posted.
public enum SharedSubjectError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What carries events answered, and does not take them; the text says why.
    case refused(String)
    /// What carries events cannot be reached: try again.
    case unreachable(String)
    /// The event cannot be written as JSON.
    case unwritable(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .refused(let reason), .unreachable(let reason): reason
        case .unwritable(let reason): "the event cannot be written as JSON: \(reason)"
        }
    }
}
