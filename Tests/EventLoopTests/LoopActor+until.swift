import EventLoop
import Testing

extension LoopActor {
    /// Has the loop do what others wait for until a condition holds, and records a failure when it does not come to.
    @LoopActor
    static func giveWay(
        until what: Comment,
        within limit: Duration = .seconds(60),
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: () -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("within \(limit): \(what)", sourceLocation: sourceLocation)
                return
            }
            await giveWay()
        }
    }
}
