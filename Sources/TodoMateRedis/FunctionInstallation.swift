import EventLoop
import RedisClient

/// Has the function library where functions are called: it is looked for, and loaded, once for each connection to a node.
///
/// One Redis that stays the same is looked at once. Another server that takes over need not have got the last library, nor a node
/// that joins a cluster, comes back from an old disk, or was flushed.
@LoopActor
final class FunctionInstallation {
    private let client: RedisClient
    /// Whether another server may take over.
    private let hasSuccessors: Bool
    /// The connections behind which the library was found, or loaded.
    private var checked: Set<Int> = []
    /// Loads that are under way.
    private var loads: [ObjectIdentifier: Task<Result<Void, RedisError>, Never>] = [:]
    /// Whether it need not be looked for any more: it was found, or loaded, where there is one Redis for good.
    private(set) var isComplete = false

    init(_ client: RedisClient) {
        self.client = client
        hasSuccessors = client.isCluster || client.watch != nil
    }

    /// Loads the library when Redis has none or an older one, in a cluster into each primary at once; those that cannot be reached
    /// get it with the first call.
    ///
    /// - Throws: an error with the code `TODOMATE_LIBRARY` where this Redis user may not load it.
    func installEverywhere() async throws(RedisError) {
        let loads = try await client.primaries().map { node in Task { await install(at: node) } }
        for load in loads { try excused(await load.value) }
    }

    /// In a cluster, only what an operator has to do is an error: a call waits for everything else by itself.
    private func excused(_ result: Result<Void, RedisError>) throws(RedisError) {
        guard client.isCluster, case .failure(let error) = result else { return try result.get() }
        if case .server(let refusal) = error, refusal.code == "TODOMATE_LIBRARY" { throw error }
    }

    /// The oldest version in Redis, or in any primary of a cluster; nil where one has none.
    func storedVersion() async throws(RedisError) -> Int? {
        var oldest: Int?
        for node in try await client.primaries() {
            guard let version = try await loader(of: node).storedVersion() else { return nil }
            oldest = min(oldest ?? version, version)
        }
        return oldest
    }

    /// Loads the library where a user's data are, unless that was done over the same connection.
    ///
    /// - Parameter deadline: when to give up.
    func check(of uid: String, by deadline: ContinuousClock.Instant) async throws(RedisError) {
        let node = try await client.node(of: TodoKeys.user(uid), by: deadline)
        if !checked.contains(node.connectionNumber) { try excused(await install(at: node, by: deadline)) }
    }

    /// The same, whatever was found there before.
    func renew(of uid: String, by deadline: ContinuousClock.Instant) async throws(RedisError) {
        try excused(await install(at: try await client.node(of: TodoKeys.user(uid), by: deadline), by: deadline))
    }

    /// Loads the library into a node, once for all who want that at the same time.
    ///
    /// - Parameter deadline: when to give up, for the one who wants it first; nil for after the client's timeout.
    func install(
        at node: RedisNode,
        by deadline: ContinuousClock.Instant? = nil
    ) async -> Result<Void, RedisError> {
        let key = ObjectIdentifier(node)
        if let load = loads[key] { return await load.value }
        let load = Task { () async -> Result<Void, RedisError> in
            do throws(RedisError) {
                try await loader(of: node, by: deadline).loadUnlessCurrent()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        loads[key] = load
        let result = await load.value
        loads[key] = nil
        guard case .success = result, node.connectionNumber > 0 else { return result }
        if checked.count == Self.mostChecked { checked = [] }
        checked.insert(node.connectionNumber)
        isComplete = !hasSuccessors
        return result
    }

    private static let mostChecked = 1000

    private func loader(of node: RedisNode, by deadline: ContinuousClock.Instant? = nil) -> FunctionLoader {
        guard let endpoint = node.endpoint, let topology = client.directory?.topology else {
            return FunctionLoader(node, lock: TodoKeys.libraryLock, by: deadline)
        }
        // Any key that this node has; without one, it has nobody's data either.
        let tag = HashSlot.tag { topology.owner(of: $0) == endpoint } ?? 0
        return FunctionLoader(node, lock: TodoKeys.libraryLock(tag), by: deadline)
    }
}
