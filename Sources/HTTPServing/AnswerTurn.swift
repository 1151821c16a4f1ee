package import EventLoop

/// The turn in which a long answer was made, and whether its client may have all of it.
package struct AnswerTurn: Sendable, Equatable {
    let turn: FairTurn
    let mayGoOn: @Sendable @LoopActor () async -> Bool

    /// - Parameters:
    ///   - turn: ends when the client has taken the answer, or is gone.
    ///   - mayGoOn: asked again and again while the client has not taken all; with the first no the connection ends.
    package init(_ turn: FairTurn, mayGoOn: @escaping @Sendable @LoopActor () async -> Bool) {
        (self.turn, self.mayGoOn) = (turn, mayGoOn)
    }

    /// Whether it is the very same turn.
    package static func == (left: AnswerTurn, right: AnswerTurn) -> Bool { left.turn == right.turn }
}
