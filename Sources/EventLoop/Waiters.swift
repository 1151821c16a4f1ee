/// Those who wait until something holds.
@LoopActor
package final class Waiters {
    private var continuations: [LoopContinuation<Void>] = []

    package nonisolated init() {}

    /// Returns once it holds, or others are resumed while this one waits.
    package func wait(until holds: () -> Bool) async {
        guard !holds() else { return }
        await LoopActor.suspend { continuation in
            // Checked again: other code may have run since.
            if holds() { continuation.resume() } else { continuations.append(continuation) }
        }
    }

    /// Resumes all who wait.
    package func resumeAll() {
        let resumed = continuations
        continuations = []
        for continuation in resumed { continuation.resume() }
    }
}
