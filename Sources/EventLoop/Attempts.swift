/// Attempts of which only the latest counts, such as reads that a reconnect starts again: an answer is used only if its
/// attempt is still current.
package struct Attempts: Sendable {
    /// One of the attempts.
    package struct Attempt: Sendable, Equatable { fileprivate let number: Int }

    private var number = 0

    package init() {}

    /// Begins an attempt, which replaces the one before.
    package mutating func begin() -> Attempt {
        number += 1
        return Attempt(number: number)
    }

    /// Abandons the current attempt without beginning another.
    package mutating func abandon() { number += 1 }

    /// Whether no other attempt was begun since, and this one was not abandoned.
    package func isCurrent(_ attempt: Attempt) -> Bool { attempt.number == number }
}
