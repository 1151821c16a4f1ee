import EventLoop

/// Whose changes do not come at the moment, as what holds them does not answer.
package struct Silence: Sendable {
    /// What is silent; the same words for the same silence.
    package let of: Set<String>
    /// Whether it is about a user.
    package let covers: @LoopActor @Sendable (String) -> Bool

    /// - Parameters:
    ///   - silent: what is silent, such as the nodes of a cluster.
    ///   - covers: whether it is about a user; without it, about all.
    package init(of silent: Set<String>, covers: @escaping @LoopActor @Sendable (String) -> Bool = { _ in true }) {
        (self.of, self.covers) = (silent, covers)
    }
}
