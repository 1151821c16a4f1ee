/// How well the subscriptions of a process fit its cluster.
package struct ClusterSubscriptionState: Equatable, Sendable {
    /// Channels that are not subscribed where they should be, or are where they should not.
    package var unsettled = 0
    /// For how long there were any, altogether, in seconds.
    package var secondsOutOfSync = 0.0
    /// So many channels were subscribed again at another node, or at the same one once more.
    package var resubscriptions = 0
    /// So many connections were made anew because they delivered nothing.
    package var silentConnections = 0
    /// Whether an access list forbids the channels by which such connections are found.
    package var probesAreRefused = false
}
