import EventLoop
import RedisClient
import TodoMate

/// The function library `todomate` in Redis: loads it, calls it, and turns its errors into ``TodoError``.
///
/// See FUNCTION LOAD, FCALL and FCALL_RO in the command pages of Redis. The source is `todomate.lua`, followed by the files that
/// build on it, in the order of ``source``.
@LoopActor
final class TodoFunctions {
    let client: RedisClient
    /// Whether calls name two keys, and go to the nodes of a cluster.
    let isInCluster: Bool
    let installation: FunctionInstallation
    /// The device of what this process writes itself.
    let device: WritingDevice?

    init(_ client: RedisClient, device: WritingDevice? = nil) {
        (self.client, self.device) = (client, device)
        isInCluster = client.isCluster
        installation = FunctionInstallation(client)
    }

    /// The source, as it is sent to Redis.
    nonisolated static var source: [UInt8] {
        PackageResources.todomate_lua + PackageResources.events_lua + PackageResources.relations_lua
            + PackageResources.emoji_lua + PackageResources.settings_lua + PackageResources.board_lua
            + PackageResources.restore_lua + PackageResources.accounts_lua + PackageResources.goals_lua
            + PackageResources.operations_lua + PackageResources.devices_lua + PackageResources.hiding_lua
            + PackageResources.sessions_lua + PackageResources.invitations_lua + PackageResources.resets_lua
            + PackageResources.mail_lua + PackageResources.identities_lua
            + PackageResources.operator_lua
            + PackageResources.factor_lua
            + PackageResources.leaving_lua + PackageResources.history_lua + PackageResources.search_lua
            + PackageResources.routines_lua + PackageResources.week_lua + PackageResources.notes_lua
    }

    /// The version that the source declares.
    nonisolated static let version: Int = {
        let text = String(decoding: source, as: UTF8.self)
        guard let match = text.firstMatch(of: /LIBRARY_VERSION = (\d+)/), let number = Int(match.1) else {
            preconditionFailure("todomate.lua declares no LIBRARY_VERSION")
        }
        return number
    }()

    /// Calls a function for a user.
    ///
    /// A library that Redis does not have (any more), or has in an older version, is loaded first; a newer one is left as
    /// it is, so that old and new workers can run side by side.
    ///
    /// - Parameter isRepeatable: whether to call again, once, when the connection broke before the answer came: true for
    ///   reads, and for writes that are recognised when they come twice.
    func call(
        _ name: String,
        _ uid: String,
        _ arguments: [String],
        readsOnly: Bool = false,
        isRepeatable: Bool
    ) async throws(TodoError) -> RedisValue {
        try TodoBounds.uid(uid)
        var command = FunctionCall.command(name, of: uid, readsOnly: readsOnly, isInCluster: isInCluster)
        for argument in arguments { command.append(argument) }
        return try await call(
            command,
            of: uid,
            isRepeatable: isRepeatable,
            whenFull: hiding(name, uid, arguments.map { Array($0.utf8) })
        )
    }

    /// Calls a function that writes, in the name of the current ``/TodoMate/RepeatableWrite`` if there is one.
    func write(
        _ name: String,
        _ uid: String,
        _ arguments: [String],
        isRepeatable: Bool
    ) async throws(TodoError) -> RedisValue {
        guard let write = RepeatableWrite.current else {
            let (name, device) = signing(name)
            return try await call(name, uid, device + arguments, isRepeatable: isRepeatable)
        }
        return try await call(name, uid, arguments, as: write)
    }

    /// Calls a function that writes one todo, as ``write(_:_:_:isRepeatable:)`` does.
    func writeTodo(
        _ name: String,
        _ uid: String,
        _ arguments: [String],
        isRepeatable: Bool = false
    ) async throws(TodoError) -> TodoWrite {
        let reply = try await write(name, uid, arguments, isRepeatable: isRepeatable)
        return try TodoJSON.write(reply.bytes ?? [], of: uid, from: name)
    }

    /// Calls a function in the name of a write that may be said again.
    ///
    /// - Returns: the function's answer, or its first one, as the write then says.
    func call(
        _ name: String,
        _ uid: String,
        _ arguments: [String],
        as write: RepeatableWrite
    ) async throws(TodoError) -> RedisValue {
        let words = [write.id.description, write.fingerprint ?? "", Self.short(name)] + arguments
        let (once, device) = signing("todomate_once", of: name)
        let reply = try await call(once, uid, device + words, isRepeatable: true)
        guard let parts = reply.array, parts.count == 3 else {
            throw .broken("todomate_once answered something else than whether it was done, and the answer")
        }
        let whole = parts[2].string.flatMap { $0.isEmpty ? nil : $0 }
        write.answered(isRepetition: parts[0].integer == 1, whole: whole) { [self] text throws(TodoError) in
            let words = [write.id.description, text]
            let kept = try await call("todomate_keep_answer", uid, words, isRepeatable: true)
            return kept.string ?? text
        }
        return parts[1]
    }

    /// Calls a function with arguments of any bytes.
    func call(
        _ name: String,
        _ uid: String,
        bytes arguments: [[UInt8]],
        readsOnly: Bool = false,
        isRepeatable: Bool
    ) async throws(TodoError) -> RedisValue {
        try TodoBounds.uid(uid)
        var command = FunctionCall.command(name, of: uid, readsOnly: readsOnly, isInCluster: isInCluster)
        for argument in arguments { command.append(argument) }
        return try await call(command, of: uid, isRepeatable: isRepeatable, whenFull: hiding(name, uid, arguments))
    }

    func call(
        _ command: RedisCommand,
        of uid: String,
        isRepeatable: Bool,
        whenFull hiding: @autoclosure () -> RedisCommand?
    ) async throws(TodoError) -> RedisValue {
        do throws(RedisError) {
            // One for all that follows, where the library has to be looked for again and again.
            let deadline = installation.isComplete ? nil : ContinuousClock.now + client.timeout
            if let deadline { try await installation.check(of: uid, by: deadline) }
            do throws(RedisError) {
                // Nearly all of it: without one more function that suspends.
                return try await client.send(command, by: deadline)
            } catch {
                let mending = Mending(isRepeatable: isRepeatable, deadline: deadline)
                return try await answer(to: command, of: uid, after: error, mending, whenFull: hiding)
            }
        } catch {
            throw TodoError(error)
        }
    }

    /// The name of a function as other functions are given it: without `todomate_`.
    static func short(_ name: String) -> String { String(name.dropFirst("todomate_".count)) }

    /// What may hide something besides what else it does, which `todomate_hide` does when memory is full. What runs then by itself does not
    /// where `todomate_by` or `todomate_once` run it, so these are among them.
    private static let hiding: Set = [
        "todomate_update", "todomate_settings", "todomate_react", "todomate_spread_goal", "todomate_once",
        "todomate_by",
    ]

    private func hiding(_ name: String, _ uid: String, _ arguments: [[UInt8]]) -> RedisCommand? {
        guard Self.hiding.contains(name) else { return nil }
        var command = FunctionCall.command("todomate_hide", of: uid, isInCluster: isInCluster)
        command.append(Self.short(name))
        for argument in arguments { command.append(argument) }
        return command
    }

    /// Begins a new history of a user whose log is gone; false where that has to wait, as on a replica.
    func beginAnew(_ uid: String) async throws(TodoError) -> Bool {
        do throws(TodoError) {
            _ = try await call("todomate_repair", uid, [], isRepeatable: true)
            return true
        } catch .unavailable {
            return false
        } catch .leaving {
            // Nothing is written under an account that is to be deleted.
            return false
        }
    }

    /// Which connection leads to a user's data at the moment; 0 while none does.
    func connectionNumber(of uid: String) -> Int { client.connectionNumber(of: TodoKeys.user(uid)) }

    /// What has been tried for a call that failed: each of it once, in whatever order the failures come.
    private struct Mending {
        let isRepeatable: Bool
        let deadline: ContinuousClock.Instant?
        var wasRepeated = false
        var wasRenewed = false
        var isHiding = false
    }

    /// Calls again what failed for a reason that can be mended.
    private func answer(
        to first: RedisCommand,
        of uid: String,
        after firstError: RedisError,
        _ begun: Mending,
        whenFull hiding: () -> RedisCommand?
    ) async throws(RedisError) -> RedisValue {
        var (command, error, mending) = (first, firstError, begun)
        while true {
            var isUnknown = false
            switch error {
            case .connectionLost where mending.isRepeatable && !mending.wasRepeated:
                mending.wasRepeated = true
            case .server(let refusal) where refusal.code == "OOM" && !mending.isHiding:
                guard let hide = hiding() else { throw error }
                (command, mending.isHiding) = (hide, true)
            case .server(let refusal)
            where !mending.wasRenewed && (error.isMissingFunction || refusal.code == "TODOMATE_USAGE"):
                // FUNCTION FLUSH, a Redis that started empty, an older library, which knows other words: nothing was carried out. A newer
                // library stays, even when it has this function no more.
                isUnknown = true
            default:
                throw error
            }
            do throws(RedisError) {
                if isUnknown {
                    try await installation.renew(of: uid, by: mending.deadline ?? .now + client.timeout)
                    mending.wasRenewed = true
                }
                return try await client.send(command, by: mending.deadline)
            } catch let next {
                error = next
            }
        }
    }
}
