public import EventLoop

/// One write that may be said again, because its answer was lost: the store remembers it in the same step, and answers a
/// repetition with the first answer.
///
///     let write = RepeatableWrite(OperationID())
///     let todo = try await write.run { () throws(TodoError) in try await repository.add(draft, for: "alice") }
///
/// The stores find it in ``current``, as the work around them runs in its name: signatures stay as they are, and a write
/// without an operation costs no more than before. It names one write of one user: of several in one ``run(_:)``, the second
/// is refused with ``TodoError/reused(_:)``.
///
/// - A refusal has changed nothing and is not remembered: the repetition is looked at anew.
/// - A user's last ``most`` operations of the last ``seconds`` are remembered, fewer where their answers take more than 2 MiB.
/// - Others' reactions are remembered without an answer: a repetition is answered with the todo as the person may see it then.
@LoopActor
public final class RepeatableWrite {
    /// The write in whose name the current task runs; nil for none.
    @TaskLocal public static var current: RepeatableWrite?

    /// How many of a user's operations are remembered.
    public nonisolated static let most = 1000
    /// For how long.
    public nonisolated static let seconds = 86400

    /// What the client calls it.
    public nonisolated let id: OperationID
    /// Tells this request from another one under the same id; nil where what is written does.
    package nonisolated let fingerprint: String?
    /// Whether the write was done before, and what was returned is the first answer.
    public private(set) var isRepetition = false
    /// What the first one was answered in the end, where that is more than its write answered.
    private var firstWhole: String?
    private var keep: (@LoopActor (String) async throws(TodoError) -> String)?

    /// A write that was not tried yet, or is to be said again.
    public nonisolated convenience init(_ id: OperationID) { self.init(id, fingerprint: nil) }

    /// - Parameter fingerprint: 1 to 64 of `A-Z a-z 0-9 _ -`, the same for the same request.
    package nonisolated init(_ id: OperationID, fingerprint: String?) {
        (self.id, self.fingerprint) = (id, fingerprint)
    }

    /// Does what is one write, in the name of this one.
    public func run<Answer: Sendable>(
        _ body: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        try await Self.as(self, body)
    }

    /// Does what belongs to no write that may be said again.
    package static func apart<Answer: Sendable>(
        _ body: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        try await Self.as(nil, body)
    }

    private static func `as`<Answer: Sendable>(
        _ write: RepeatableWrite?,
        _ body: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        let result = await $current.withValue(write) { () async -> Result<Answer, TodoError> in
            do throws(TodoError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: For stores

    /// Called by a store once it has the write's answer.
    ///
    /// - Parameters:
    ///   - isRepetition: whether that is the first answer to a write that was done before.
    ///   - whole: what `keep` has kept of it, if anything.
    ///   - keep: keeps the text that the whole is answered with, unless there is one already, and returns the one that is kept.
    public func answered(
        isRepetition: Bool,
        whole: String? = nil,
        keep: (@LoopActor (String) async throws(TodoError) -> String)? = nil
    ) {
        (self.isRepetition, firstWhole, self.keep) = (isRepetition, whole, keep)
    }

    /// The answer to a request of which the write is only the first step, made by `make` and kept for repetitions.
    ///
    /// A request that was cut between the two makes it when it is repeated; of two at once, both answer what was kept first.
    package static func whole(
        _ make: @LoopActor () async throws(TodoError) -> String
    ) async throws(TodoError) -> String {
        guard let write = current else { return try await make() }
        if let text = write.firstWhole { return text }
        let text = try await make()
        return try await write.keep?(text) ?? text
    }
}
