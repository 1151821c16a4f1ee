/// How well a process keeps up with a store that many servers share.
package struct ClusterFigures: Equatable, Sendable {
    /// So many slots were seen to go from one server to another.
    package var slotsMoved: Int
    /// How often it was asked who serves what.
    package var refreshes: Int
    /// Channels that are not subscribed where they should be, or are where they should not.
    package var unsettled: Int
    /// So many channels were subscribed again.
    package var resubscriptions: Int
    /// For how long channels were unsettled, altogether.
    package var secondsOutOfSync: Double
    /// So many connections were made anew because they delivered nothing.
    package var silentConnections: Int
    /// Whether such connections cannot be found, as an access list forbids what that takes.
    package var probesAreRefused: Bool

    /// Figures of one moment.
    package init(
        slotsMoved: Int,
        refreshes: Int,
        unsettled: Int,
        resubscriptions: Int,
        secondsOutOfSync: Double,
        silentConnections: Int,
        probesAreRefused: Bool
    ) {
        (self.slotsMoved, self.refreshes, self.unsettled) = (slotsMoved, refreshes, unsettled)
        (self.resubscriptions, self.silentConnections) = (resubscriptions, silentConnections)
        (self.secondsOutOfSync, self.probesAreRefused) = (secondsOutOfSync, probesAreRefused)
    }
}
