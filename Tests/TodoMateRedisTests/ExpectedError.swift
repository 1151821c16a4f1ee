import EventLoop
import Testing
import TodoMate

/// Expects an error of one kind, as the case of `TodoError` is called, whatever its text says.
@LoopActor
func expect(
    _ kind: String,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @LoopActor () async throws -> Void
) async {
    await #expect(comment, sourceLocation: sourceLocation) { try await body() } throws: {
        Mirror(reflecting: $0).children.first?.label == kind
    }
}
