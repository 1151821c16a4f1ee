import EventLoop
import RedisClient

/// Loads the function library into one Redis, or one node of a cluster, where it has none or an older one.
///
/// Workers of several versions may do so at once: only who holds the lock compares and replaces, so that the newest
/// library stays. The lock ends by itself when its holder dies.
@LoopActor
struct FunctionLoader {
    private let node: RedisNode
    private let lock: String
    private let deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - node: where to load it.
    ///   - lock: the key of the lock, which that node must have.
    ///   - deadline: when to give up; nil for when each of its questions is.
    init(_ node: RedisNode, lock: String, by deadline: ContinuousClock.Instant?) {
        (self.node, self.lock, self.deadline) = (node, lock, deadline)
    }

    /// Loads the library when Redis has none or an older one.
    ///
    /// - Throws: an error with the code `TODOMATE_LIBRARY` where this Redis user may not load it.
    func loadUnlessCurrent() async throws(RedisError) {
        // A lock that was made by hand may never expire.
        let patience = min(.now + .seconds(6), deadline ?? .now + .seconds(6))
        while let stored = Optional(try await storedVersion()), stored ?? 0 < TodoFunctions.version {
            do throws(RedisError) {
                guard try await takeLock() || patience < .now else {
                    await LoopTimer.sleep(for: .milliseconds(20))
                    continue
                }
                let loading = await load()
                try await giveLockBack()
                try loading.get()
            } catch .server(let refusal) where refusal.code == "NOPERM" {
                throw Self.mayNotLoad(over: stored)
            }
        }
    }

    /// The version there; nil for none.
    func storedVersion() async throws(RedisError) -> Int? {
        do throws(RedisError) {
            return try await node.send(RedisCommand("FCALL_RO", "todomate_version", "0"), by: deadline).integer
        } catch {
            guard error.isMissingFunction else { throw error }
            return nil
        }
    }

    private func takeLock() async throws(RedisError) -> Bool {
        do throws(RedisError) {
            return try await node.send(RedisCommand("SET", lock, "1", "NX", "PX", "5000"), by: deadline).string == "OK"
        } catch .server(let refusal) where Self.movingCodes.contains(refusal.code) {
            // The slot of the lock has gone, or is going: then there is none.
            return true
        }
    }

    private func giveLockBack() async throws(RedisError) {
        do throws(RedisError) {
            try await node.send(RedisCommand("DEL", lock), by: deadline)
        } catch .server(let refusal) where Self.movingCodes.contains(refusal.code) {
            // It ends by itself, where it has gone.
        }
    }

    private static let movingCodes: Set = ["MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN"]

    private func load() async -> Result<Void, RedisError> {
        do throws(RedisError) {
            if try await storedVersion() ?? 0 < TodoFunctions.version {
                var command = RedisCommand("FUNCTION", "LOAD", "REPLACE")
                command.append(TodoFunctions.source)
                try await node.send(command, by: deadline)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// The error by which a user who may not load the library learns that waiting does not help.
    nonisolated static let advice = "run 'todomate library load'"

    private static func mayNotLoad(over stored: Int?) -> RedisError {
        let found = stored.map { "has version \($0) of the function library" } ?? "does not have the function library"
        let text =
            "TODOMATE_LIBRARY Redis \(found), this program needs version \(TodoFunctions.version), and this Redis user may "
            + "not load it: \(advice) of this version as a Redis user who may FUNCTION LOAD, such as the operator"
        return .server(RedisServerError(message: text))
    }
}

extension RedisError {
    /// Whether Redis does not have the function library.
    package var isMissingFunction: Bool {
        if case .server(let error) = self { error.message.hasPrefix("ERR Function not found") } else { false }
    }
}
