import EventLoop

/// What one user's writes were answered that may be said again; those of others' reactions are another one.
struct InMemoryOperations {
    private struct Done {
        /// What tells this request from another one.
        var request: String
        var answer: any Sendable
        /// What was answered in the end, where that is more.
        var whole: String?
        /// In seconds since 1970.
        var time: Int
    }

    private var done: [String: Done] = [:]
    /// The oldest first.
    private var order: [String] = []

    /// What was answered; nil for a write that was not done yet, or too long ago.
    ///
    /// - Throws: ``TodoError/reused(_:)``.
    func answer(to name: String, _ request: String, at time: Int) throws(TodoError) -> (any Sendable, whole: String?)? {
        guard let first = done[name], time - first.time < RepeatableWrite.seconds else { return nil }
        guard first.request == request else {
            throw .reused(
                "the operation id \(name) was used for another request within a day: use a new one for each"
            )
        }
        return (first.answer, first.whole)
    }

    mutating func add(_ answer: any Sendable, to name: String, _ request: String, at time: Int) {
        order.removeAll { $0 == name }
        done[name] = Done(request: request, answer: answer, time: time)
        order.append(name)
        while order.count > RepeatableWrite.most { done[order.removeFirst()] = nil }
    }

    /// Keeps what was answered in the end, and returns what was kept first.
    mutating func keep(_ whole: String, of name: String) -> String {
        if let first = done[name]?.whole { return first }
        done[name]?.whole = whole
        return whole
    }
}

extension InMemoryDatabase {
    /// Does a write, or answers what it was answered before, where it has the name of a ``RepeatableWrite``.
    ///
    /// - Parameters:
    ///   - request: what is written, in words that are the same for the same.
    ///   - uid: whose data.
    ///   - body: does it; what it calls belongs to this write.
    func once<Answer: Sendable>(
        _ request: @autoclosure () -> String,
        of uid: String,
        _ body: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        guard let write = RepeatableWrite.current else { return try await body() }
        let (name, request) = (write.id.description, write.fingerprint ?? request())
        let known = try self[uid].operations.answer(to: name, request, at: microseconds / 1_000_000)
        let answer: Answer
        if let first = known?.0 as? Answer {
            answer = first
        } else {
            answer = try await RepeatableWrite.apart(body)
            self[uid].operations.add(answer, to: name, request, at: microseconds / 1_000_000)
        }
        write.answered(isRepetition: known != nil, whole: known?.whole) { [self] text throws(TodoError) in
            self[uid].operations.keep(text, of: name)
        }
        return answer
    }

    /// The same for another person's reaction, whose repetition is answered by `again`.
    func once<Answer: Sendable>(
        _ request: String,
        of uid: String,
        by person: String,
        again: @LoopActor () async throws(TodoError) -> Answer,
        _ body: @LoopActor () async throws(TodoError) -> Answer
    ) async throws(TodoError) -> Answer {
        guard person != uid, let write = RepeatableWrite.current else {
            return try await once(request, of: uid, body)
        }
        let (name, request) = ("\(person) \(write.id)", write.fingerprint ?? request)
        let time = microseconds / 1_000_000
        let isKnown = try self[uid].visits.answer(to: name, request, at: time) != nil
        let answer: Answer
        if isKnown {
            answer = try await again()
        } else {
            answer = try await RepeatableWrite.apart(body)
            self[uid].visits.add(true, to: name, request, at: time)
        }
        write.answered(isRepetition: isKnown)
        return answer
    }
}
