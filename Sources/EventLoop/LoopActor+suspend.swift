extension LoopActor {
    /// Calls `body`, and suspends the task until the continuation that it receives is resumed, which must be done once; does not
    /// suspend when `body` itself resumes it.
    @LoopActor
    @inlinable
    package static func suspend<Value: Sendable>(_ body: @LoopActor (LoopContinuation<Value>) -> Void) async -> Value {
        let continuation = LoopContinuation<Value>()
        body(continuation)
        if continuation.value == nil {
            SuspendedTask.leaving = continuation
            await Elsewhere.shared.visit()
        }
        guard let value = continuation.value else { preconditionFailure("a task continued that was not resumed") }
        return value
    }

    /// Returns at the end of the next turn, after the input that has arrived meanwhile.
    @LoopActor
    package static func giveWay() async {
        await suspend { continuation in atEndOfNextTurn { continuation.resume() } }
    }
}
