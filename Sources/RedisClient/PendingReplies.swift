import EventLoop

/// A command whose caller has not been answered yet.
@LoopActor
final class PendingReply {
    let command: RedisCommand
    /// Whether a redirection by ASK is followed.
    let isAsking: Bool
    let deadline: ContinuousClock.Instant
    private var continuation: LoopContinuation<Result<RedisValue, RedisError>>?

    init(
        _ command: RedisCommand,
        isAsking: Bool = false,
        deadline: ContinuousClock.Instant,
        continuation: LoopContinuation<Result<RedisValue, RedisError>>?
    ) {
        self.command = command
        self.isAsking = isAsking
        self.deadline = deadline
        self.continuation = continuation
    }

    /// Answers the caller, once: anything later is ignored.
    func finish(_ result: Result<RedisValue, RedisError>) {
        guard let continuation else { return }
        self.continuation = nil
        continuation.resume(returning: result)
    }
}

/// Commands in the order in which they were sent, which is the order of their replies.
@LoopActor
struct PendingReplies {
    private var items: [PendingReply] = []
    private var head = 0

    mutating func append(_ item: PendingReply) { items.append(item) }

    mutating func popFirst() -> PendingReply? {
        guard head < items.count else { return nil }
        defer { drop(1) }
        return items[head]
    }

    private mutating func drop(_ count: Int) {
        head += count
        // Dropping the used half now and then keeps both this and the memory constant on average.
        if head == items.count || head > 1024 && head * 2 > items.count {
            items.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() -> [PendingReply] {
        defer { (items, head) = ([], 0) }
        return Array(items[head...])
    }

    var isEmpty: Bool { head == items.count }

    /// Those whose time is up.
    func overdue(at now: ContinuousClock.Instant) -> [PendingReply] { items[head...].filter { $0.deadline <= now } }

    mutating func removeOverdue(at now: ContinuousClock.Instant) -> [PendingReply] {
        let due = overdue(at: now)
        guard !due.isEmpty else { return [] }
        items = items[head...].filter { $0.deadline > now }
        head = 0
        return due
    }
}
