/// What to call with an observer of one type and an event.
///
/// A class whose closure is a `let`: calling it counts no references.
@usableFromInline
package final class EventReceiver<Event> {
    @usableFromInline let receive: (UnsafeMutableRawPointer, Event) -> Void

    /// Notifies observers of this type by calling `receive`, which must capture none of them.
    @inlinable
    package init<Target: AnyObject>(_ type: Target.Type, _ receive: @escaping (Target, Event) -> Void) {
        self.receive = { pointer, event in
            // The caller has retained the observer; its type is known only here.
            Unmanaged<Target>.fromOpaque(pointer)._withUnsafeGuaranteedRef { receive($0, event) }
        }
    }
}

/// The place of one observer, of any type, in a list. When it is taken out of the list, ``empty()`` must be called.
@usableFromInline
struct ObserverPlace<Event> {
    /// Nil when the place is empty.
    @usableFromInline var observer: ObserverReference?
    @usableFromInline let receiver: Unmanaged<EventReceiver<Event>>
    /// Whether the observer was removed: it is notified of nothing more.
    @usableFromInline var isGap = false

    @inlinable
    init(_ observer: AnyObject, _ receiver: EventReceiver<Event>) {
        self.observer = ObserverReference(observer)
        self.receiver = .passRetained(receiver)
    }

    /// Whether there is an observer, and it lives.
    @usableFromInline var isAlive: Bool { !isGap && observer?.isAlive == true }

    /// Lets go of all that it holds; doing it again does nothing.
    @usableFromInline
    mutating func empty() {
        isGap = true
        guard observer != nil else { return }
        observer = nil
        receiver.release()
    }
}
