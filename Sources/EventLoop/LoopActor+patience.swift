extension LoopActor {
    /// What `body` returns, or nil where that takes longer: then it goes on by itself, and nobody hears its answer.
    @LoopActor
    package static func answer<Value: Sendable>(
        within patience: Duration,
        of body: @escaping @LoopActor @Sendable () async -> Value
    ) async -> Value? {
        var timer: LoopTimer?
        let answer: Value? = await suspend { continuation in
            timer = LoopTimer { if continuation.value == nil { continuation.resume(returning: nil) } }
            timer?.start(after: patience)
            Task {
                let answer = await body()
                if continuation.value == nil { continuation.resume(returning: answer) }
            }
        }
        timer?.cancel()
        return answer
    }
}
