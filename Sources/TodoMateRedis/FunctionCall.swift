package import RedisClient

/// A call of one of the library's functions for a user, as Redis takes it.
package enum FunctionCall {
    /// Begins the command; the function's arguments follow.
    ///
    /// On one Redis it names one key, the user's. In a cluster the user's log comes second: of these two keys one is always
    /// missing, so that the nodes between which the user's slot is moving both refuse the call, and none carries it out without
    /// the user's data.
    ///
    /// - Parameters:
    ///   - name: which function.
    ///   - uid: whose data.
    ///   - readsOnly: whether the function does not write.
    ///   - isInCluster: which form to use.
    package static func command(
        _ name: String,
        of uid: String,
        readsOnly: Bool = false,
        isInCluster: Bool
    ) -> RedisCommand {
        let key = TodoKeys.user(uid)
        let verb = readsOnly ? "FCALL_RO" : "FCALL"
        guard isInCluster else { return RedisCommand(verb, name, "1", key) }
        return RedisCommand(verb, name, "2", key, TodoKeys.key(.log, of: uid))
    }
}
