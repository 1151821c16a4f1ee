extension TodoRealtimeServiceType {
    /// Refuses what was read of an observed user at a Redis that is behind what observers had been told when the read began: a
    /// primary that was replaced while it was asleep answers once more before it knows. What came in between would be missing.
    ///
    /// - Parameters:
    ///   - id: the change that the read is as of.
    ///   - uid: whose data were read.
    ///   - known: ``lastDelivered(of:)`` from before the read.
    /// - Throws: ``TodoError/unavailable(_:)``: read again. Should Redis have lost changes, following begins anew meanwhile.
    package func check(_ id: ChangeID, of uid: String, isNotBefore known: ChangeID?) throws(TodoError) {
        guard let known, id.version < known.version, id.microseconds <= known.microseconds else { return }
        lookUpLatest(of: uid)
        throw .unavailable("a Redis that is behind answered for \(uid): it is asked again")
    }
}
