/// The place of one observer in a list, whatever its type.
///
/// A class, so that the weak reference never moves: copying one costs twice what reading it does.
class ObserverSlot<Event> {
    /// Whether the observer lives.
    var isAlive: Bool { false }

    /// Tells the observer of an event; false when it has died.
    func tell(_ event: Event) -> Bool { false }
}

/// The place of an observer of a known type.
final class TypedObserverSlot<Target: AnyObject, Event>: ObserverSlot<Event> {
    private weak var observer: Target?
    private let receive: (Target, Event) -> Void

    init(_ observer: Target, _ receive: @escaping (Target, Event) -> Void) {
        self.observer = observer
        self.receive = receive
    }

    override var isAlive: Bool { observer != nil }

    override func tell(_ event: Event) -> Bool {
        guard let observer else { return false }
        receive(observer, event)
        return true
    }
}
