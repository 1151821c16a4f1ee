package import EventLoop

/// Hears what the realtime service does, for logs and metrics. Every method does nothing by default.
@LoopActor
package protocol TodoRealtimeMonitor: AnyObject {
    /// A change was delivered to this many observers.
    func delivered(_ change: TodoChange, observers: Int)
    /// Something published on a user's channel was dropped.
    func refused(_ refusal: MessageRefusal, for uid: String)
    /// Missed changes were read from the log; nil when the log no longer had them.
    func caughtUp(_ uid: String, changes: Int?)
    /// A user's log could not be read; it is tried again.
    func readFailed(_ uid: String, _ error: TodoError)
    /// The observers of a user were notified of a reset.
    func reset(_ uid: String)
    /// An observer read all todos of a user, or of some days.
    func snapshotRead(_ uid: String)
}

extension TodoRealtimeMonitor {
    /// Does nothing.
    package func delivered(_ change: TodoChange, observers: Int) {}
    /// Does nothing.
    package func refused(_ refusal: MessageRefusal, for uid: String) {}
    /// Does nothing.
    package func caughtUp(_ uid: String, changes: Int?) {}
    /// Does nothing.
    package func readFailed(_ uid: String, _ error: TodoError) {}
    /// Does nothing.
    package func reset(_ uid: String) {}
    /// Does nothing.
    package func snapshotRead(_ uid: String) {}
}

/// Listens to nothing.
package final class NoTodoRealtimeMonitor: TodoRealtimeMonitor {
    /// A monitor without effect.
    package nonisolated init() {}
}
