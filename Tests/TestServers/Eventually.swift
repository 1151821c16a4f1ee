public import Testing

/// Waits until a condition holds that has no event of its own, and records a failure when it does not come to.
public func eventually(
    _ what: Comment,
    within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    var deadline = ContinuousClock.now + limit
    // Most come to hold at once; to look often for long would take the time of what is waited for.
    var pause = Duration.milliseconds(1)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("within \(limit): \(what)", sourceLocation: sourceLocation)
            return
        }
        let before = ContinuousClock.now
        try await Task.sleep(for: pause)
        // What a busy machine oversleeps is no time of what is waited for.
        deadline += before.duration(to: .now) - pause
        pause = min(pause * 2, .milliseconds(40))
    }
}
