/// Finds a connection that answers but delivers nothing, by a message of one's own now and then. No I/O.
///
/// The echo may come before the answer to the command that published it, as the two travel over different connections.
struct EchoProbe: Equatable {
    enum Action: Equatable {
        case nothing
        /// Publish something that this connection must deliver.
        case publish
        /// It was not delivered: make the connection anew.
        case drop
    }

    /// After so many beats one is published, and after as many again without its echo it is given up.
    static let beatsAllowed = 10

    private var beats = 0
    /// Of the messages published, or about to be.
    private var number = 0
    /// Whether the echo of the last one is missing, although the cluster has accepted it.
    private var isAwaited = false
    private var hasHeard = true

    /// Something of one's own was delivered.
    mutating func heard() {
        hasHeard = true
        isAwaited = false
    }

    /// A message is being published.
    ///
    /// - Returns: its number, for ``published(_:)``.
    mutating func begin() -> Int {
        number += 1
        hasHeard = false
        isAwaited = false
        return number
    }

    /// The cluster accepted a message; where it did not, that proves nothing.
    mutating func published(_ number: Int) {
        guard number == self.number, !hasHeard else { return }
        isAwaited = true
        beats = 0
    }

    mutating func beat() -> Action {
        beats += 1
        guard beats >= Self.beatsAllowed else { return .nothing }
        beats = 0
        guard isAwaited else { return .publish }
        isAwaited = false
        return .drop
    }
}
