public import EventLoop
public import TodoMate

/// Counts what the realtime service did besides telling.
@LoopActor
public final class RecordingMonitor: TodoRealtimeMonitor {
    /// Why messages were dropped.
    public private(set) var refusals: [MessageRefusal] = []
    /// Whose observers had to start over.
    public private(set) var resets: [String] = []
    /// How many changes each repair read; nil where the log had none.
    public private(set) var repairs: [Int?] = []

    public nonisolated init() {}

    public func refused(_ refusal: MessageRefusal, for uid: String) { refusals.append(refusal) }
    public func caughtUp(_ uid: String, changes: Int?) { repairs.append(changes) }
    public func reset(_ uid: String) { resets.append(uid) }
}
