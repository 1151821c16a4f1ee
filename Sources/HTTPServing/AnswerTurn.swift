package import EventLoop

/// The turn of a long response, and whether its client may receive all of it.
package struct AnswerTurn: Sendable, Equatable {
    let turn: FairTurn
    let mayGoOn: @Sendable @LoopActor () async -> Bool

    /// - Parameters:
    ///   - turn: ends when the client has received the response, or is gone.
    ///   - mayGoOn: called at intervals until the client has received all; the first false closes the connection.
    package init(_ turn: FairTurn, mayGoOn: @escaping @Sendable @LoopActor () async -> Bool) {
        (self.turn, self.mayGoOn) = (turn, mayGoOn)
    }

    /// Whether it is the very same turn.
    package static func == (left: AnswerTurn, right: AnswerTurn) -> Bool { left.turn == right.turn }
}
