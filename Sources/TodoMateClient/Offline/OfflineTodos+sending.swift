import EventLoop
import TodoMate

/// Sends what the outbox has, each todo's in order.
extension OfflineTodos {
    /// How the sending stands.
    struct Sending {
        /// So many requests are on their way at once.
        static let parallel = 4

        var onTheirWay = 0
        var pauses = SendingPauses()
        var timer: LoopTimer?
    }

    /// Sends what can be sent.
    func send() {
        defer { wait() }
        while !isClosed, let reached = base.reached, sending.onTheirWay < Sending.parallel {
            let now = ContinuousClock.now
            guard !sending.pauses.isHeld(at: now) else { return }
            var request: Outbox.Request?
            do throws(TodoError) {
                try perform { (outbox) throws(TodoError) in
                    let paused = self.sending.pauses.todos(at: now)
                    let (next, steps) = outbox.next(base: self.todos, besides: paused, reached: reached)
                    request = next
                    return steps
                }
            } catch {
                // What is not on disk as sent is not sent.
                note(error)
                return sending.pauses.hold(for: .seconds(5), at: now)
            }
            guard let request else { return }
            sending.onTheirWay += 1
            Task {
                let answer = await door.send(request, of: uid)
                sending.onTheirWay -= 1
                if !isClosed { take(answer, request) }
            }
        }
    }

    /// Sends at once, as the network may be back, unless the server wants none yet.
    func hurry() {
        sending.pauses.hurry()
        send()
    }

    /// Has what is left sent when its pause is over.
    private func wait() {
        guard !isClosed, let next = sending.pauses.next(after: .now) else {
            sending.timer?.stop()
            return
        }
        sending.timer = sending.timer ?? LoopTimer { [weak self] in self?.send() }
        sending.timer?.start(after: next - .now)
    }

    private func take(_ answer: DoorAnswer, _ request: Outbox.Request) {
        var generator = SystemRandomNumberGenerator()
        sending.pauses.take(answer, to: request.todo, at: .now, using: &generator)
        let reached = base.reached ?? .zero
        let before = shownSettings
        if case .settled(let settings) = answer.outcome { _ = learn(settings) }
        do throws(TodoError) {
            try perform { (outbox) throws(TodoError) in
                outbox.answered(request.number, answer.outcome, reached: reached)
            }
        } catch {
            // The answer is forgotten, and the same is asked once more.
            note(error)
            persist { $0.answered(request.number, .passing(error.description), reached: reached) }
            sending.pauses.hold(for: .seconds(5), at: .now)
            return send()
        }
        tellSettings(before)
        send()
        if answer.pause == nil { onDone() }
    }
}
