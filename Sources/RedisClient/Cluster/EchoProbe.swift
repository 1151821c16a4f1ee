/// Finds a connection that answers but delivers nothing, by a message of one's own now and then. No I/O.
struct EchoProbe: Equatable {
    enum Action: Equatable {
        case nothing
        /// Publish something that this connection must deliver.
        case publish
        /// It was not delivered: make the connection anew.
        case drop
    }

    /// After so many beats without a message one is sent; after as many again it is given up.
    static let beatsAllowed = 10

    private var quietBeats = 0
    /// The beats since a message of one's own was accepted by the cluster.
    private var awaited: Int?

    /// Something was delivered.
    mutating func heard() { self = EchoProbe() }

    /// The cluster accepted what was published; where it did not, that proves nothing.
    mutating func published() { if awaited == nil { awaited = 0 } }

    mutating func beat() -> Action {
        quietBeats += 1
        if let beats = awaited {
            awaited = beats + 1
            guard beats + 1 >= Self.beatsAllowed else { return .nothing }
            self = EchoProbe()
            return .drop
        }
        return quietBeats % Self.beatsAllowed == 0 ? .publish : .nothing
    }
}
