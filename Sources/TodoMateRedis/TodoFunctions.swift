import EventLoop
import RedisClient
import TodoMate

/// The function library `todomate` in Redis: loads it, calls it, and turns its errors into ``TodoError``.
///
/// See FUNCTION LOAD, FCALL and FCALL_RO in the command pages of Redis. The source is `todomate.lua`, followed by
/// `relations.lua`, `emoji.lua`, `board.lua`, `restore.lua`, `accounts.lua`, `hiding.lua` and `sessions.lua`, which build on it.
@LoopActor
final class TodoFunctions {
    private let client: RedisClient
    /// Whether calls name two keys, and go to the nodes of a cluster.
    private let isInCluster: Bool
    /// Whether another server may take over, which need not have got the last library.
    private let hasSuccessors: Bool
    /// The connections behind which the library was found, or loaded.
    private var checked: Set<Int> = []
    /// Loads that are under way.
    private var loads: [ObjectIdentifier: Task<Result<Void, RedisError>, Never>] = [:]
    /// Whether the library was found, or loaded, where there is one Redis for good.
    private var isChecked = false

    init(_ client: RedisClient) {
        self.client = client
        isInCluster = client.isCluster
        hasSuccessors = client.isCluster || client.watch != nil
    }

    /// The source, as it is sent to Redis.
    nonisolated static var source: [UInt8] {
        PackageResources.todomate_lua + PackageResources.relations_lua + PackageResources.emoji_lua
            + PackageResources.board_lua + PackageResources.restore_lua + PackageResources.accounts_lua
            + PackageResources.hiding_lua + PackageResources.sessions_lua
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
        let arguments = arguments.map { Array($0.utf8) }
        return try await call(name, uid, bytes: arguments, readsOnly: readsOnly, isRepeatable: isRepeatable)
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

    /// Calls a function that only reads, for many users: by one command, or by one a user in a cluster, where what keeps one user's
    /// answer away does not concern the others.
    ///
    /// - Parameter each: is given each answer as it comes, with the number of its user.
    func read(
        _ name: String,
        of uids: [String],
        _ each: @escaping @LoopActor (Int, Result<RedisValue, TodoError>) -> Void
    ) async {
        guard isInCluster else { return await readAtOnce(name, of: uids, each) }
        let tasks = uids.enumerated().map { index, uid in
            Task {
                do throws(TodoError) {
                    let reply = try await call(name, uid, [], readsOnly: true, isRepeatable: true)
                    each(index, .success(reply.array?.first ?? .null))
                } catch {
                    each(index, .failure(error))
                }
            }
        }
        for task in tasks { await task.value }
    }

    private func readAtOnce(
        _ name: String,
        of uids: [String],
        _ each: @LoopActor (Int, Result<RedisValue, TodoError>) -> Void
    ) async {
        guard let first = uids.first else { return }
        var command = RedisCommand("FCALL_RO", name, String(uids.count))
        for uid in uids { command.append(TodoKeys.user(uid)) }
        do throws(TodoError) {
            let values = try await call(command, of: first, isRepeatable: true, whenFull: nil).array ?? []
            for index in uids.indices { each(index, .success(index < values.count ? values[index] : .null)) }
        } catch {
            for index in uids.indices { each(index, .failure(error)) }
        }
    }

    private func call(
        _ command: RedisCommand,
        of uid: String,
        isRepeatable: Bool,
        whenFull hiding: @autoclosure () -> RedisCommand?
    ) async throws(TodoError) -> RedisValue {
        do throws(RedisError) {
            if !isChecked { try await checkLibrary(of: uid) }
            do throws(RedisError) {
                return try await send(command, of: uid)
            } catch .connectionLost where isRepeatable {
                return try await send(command, of: uid)
            } catch .server(let refusal) where refusal.code == "OOM" {
                guard let hiding = hiding() else { throw .server(refusal) }
                return try await send(hiding, of: uid)
            }
        } catch {
            throw TodoError(error)
        }
    }

    /// What may hide something besides what else it does, and how `todomate_hide` calls it: that is done when memory is full.
    private static let hiding = [
        "todomate_update": "update", "todomate_settings": "settings", "todomate_react": "react",
    ]

    private func hiding(_ name: String, _ uid: String, _ arguments: [[UInt8]]) -> RedisCommand? {
        guard let hidden = Self.hiding[name] else { return nil }
        var command = FunctionCall.command("todomate_hide", of: uid, isInCluster: isInCluster)
        command.append(hidden)
        for argument in arguments { command.append(argument) }
        return command
    }

    /// Which Redis, or which primary of a cluster, refuses writes, and why; nil for none that can be reached. Writes nothing.
    func writeRefusal() async -> (node: RedisURL, error: RedisServerError)? {
        guard let nodes = try? await client.primaries() else { return nil }
        for node in nodes {
            do throws(RedisError) {
                try await checkWritable(at: node)
            } catch .server(let error) {
                return (node.url, error)
            } catch {
                // It does not answer, which others find out.
                continue
            }
        }
        return nil
    }

    private func checkWritable(at node: RedisNode) async throws(RedisError) {
        let command = RedisCommand("FCALL", "todomate_writable", "0")
        do throws(RedisError) {
            _ = try await node.send(command)
        } catch {
            guard error.isMissingFunction else { throw error }
            try await load(at: node)
            _ = try await node.send(command)
        }
    }

    /// Begins a new history of a user whose log is gone; false where that has to wait, as on a replica.
    func beginAnew(_ uid: String) async throws(TodoError) -> Bool {
        do throws(TodoError) {
            _ = try await call("todomate_repair", uid, [], isRepeatable: true)
            return true
        } catch .unavailable {
            return false
        }
    }

    /// The users who have a key of a kind, sorted; goes through all keys, a part at a time.
    func users(having part: TodoKeys.Part) async throws(TodoError) -> [String] {
        var users: Set<String> = []
        try await eachPage(ofKeys: TodoKeys.every(part)) { keys in
            users.formUnion(keys.compactMap { TodoKeys.uid(of: $0, part) })
        }
        return users.sorted()
    }

    /// Goes through all keys of a pattern, a part at a time; some may come twice.
    func eachPage(
        ofKeys pattern: String,
        _ body: @LoopActor ([String]) async throws(TodoError) -> Void
    ) async throws(TodoError) {
        var scan = client.scan(pattern)
        while true {
            let keys: [String]?
            do throws(RedisError) {
                keys = try await scan.next()
            } catch {
                throw TodoError(error)
            }
            guard let keys else { return }
            try await body(keys)
        }
    }

    /// Sends a command that is no function.
    ///
    /// - Parameter isRepeatable: whether to send it again, once, when the connection broke before the answer came.
    func plain(_ command: RedisCommand, isRepeatable: Bool = false) async throws(TodoError) -> RedisValue {
        do throws(RedisError) {
            do throws(RedisError) {
                return try await client.send(command)
            } catch .connectionLost where isRepeatable {
                return try await client.send(command)
            }
        } catch {
            throw TodoError(error)
        }
    }

    /// Sends commands that are no functions, and that may be sent twice, all at once.
    func plain(_ commands: [RedisCommand]) async throws(TodoError) -> [RedisValue] {
        let answers = commands.map { command in
            Task { () async -> Result<RedisValue, TodoError> in
                do throws(TodoError) {
                    return .success(try await plain(command, isRepeatable: true))
                } catch {
                    return .failure(error)
                }
            }
        }
        var values: [RedisValue] = []
        for answer in answers { values.append(try await answer.value.get()) }
        return values
    }

    /// Loads the library when Redis has none or an older one, in a cluster into each primary at once; those that cannot be reached
    /// get it with the first call.
    ///
    /// - Throws: an error with the code `TODOMATE_LIBRARY` where this Redis user may not load it.
    func loadUnlessCurrent() async throws(RedisError) {
        let loads = try await client.primaries().map { node in Task { await loading(at: node) } }
        for load in loads { try excused(await load.value) }
    }

    /// In a cluster, only what an operator has to do is an error: a call waits for everything else by itself.
    private func excused(_ result: Result<Void, RedisError>) throws(RedisError) {
        guard isInCluster, case .failure(let error) = result else { return try result.get() }
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
    private func checkLibrary(of uid: String) async throws(RedisError) {
        let node = try await client.node(of: TodoKeys.user(uid))
        if !checked.contains(node.connectionNumber) { try excused(await loading(at: node)) }
    }

    private func load(at node: RedisNode) async throws(RedisError) { try await loading(at: node).get() }

    /// Loads the library into a node, once for all who want that at the same time.
    private func loading(at node: RedisNode) async -> Result<Void, RedisError> {
        let key = ObjectIdentifier(node)
        if let load = loads[key] { return await load.value }
        let load = Task { () async -> Result<Void, RedisError> in
            do throws(RedisError) {
                try await loader(of: node).loadUnlessCurrent()
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
        isChecked = !hasSuccessors
        return result
    }

    private static let mostChecked = 1000

    private func loader(of node: RedisNode) -> FunctionLoader {
        guard let endpoint = node.endpoint, let topology = client.directory?.topology else {
            return FunctionLoader(node, lock: TodoKeys.libraryLock)
        }
        // Any key that this node has; without one, it has nobody's data either.
        let tag = HashSlot.tag { topology.owner(of: $0) == endpoint } ?? 0
        return FunctionLoader(node, lock: TodoKeys.libraryLock(tag))
    }

    private func send(_ command: RedisCommand, of uid: String) async throws(RedisError) -> RedisValue {
        do throws(RedisError) {
            return try await client.send(command)
        } catch {
            // FUNCTION FLUSH, or a Redis that started empty: nothing was carried out. A newer library stays, even when
            // it has this function no more. An older one, at a node that has just taken the slot, knows other words.
            guard error.isMissingFunction || isInCluster && error.isUsage else { throw error }
            try excused(await loading(at: try await client.node(of: TodoKeys.user(uid))))
            return try await client.send(command)
        }
    }
}

extension RedisError {
    fileprivate var isUsage: Bool {
        if case .server(let error) = self { error.code == "TODOMATE_USAGE" } else { false }
    }
}

extension TodoError {
    /// The domain's view of what Redis or the library answered.
    init(_ error: RedisError) {
        guard case .server(let reply) = error else {
            self = .unavailable(error.description)
            return
        }
        self =
            switch reply.code {
            case "TODOMATE_INVALID", "TODOMATE_USAGE": .invalid(reply.detail)
            case "TODOMATE_EXISTS": .exists(reply.detail)
            case "TODOMATE_NOT_FOUND": .notFound(reply.detail)
            case "TODOMATE_FULL": .full(reply.detail)
            case "TODOMATE_GONE": .gone(reply.detail)
            case "TODOMATE_LIBRARY": .unavailable(reply.detail)
            case "TODOMATE_CONFLICT": .conflict(Self.advice(reply.detail), current: Self.current(reply.detail))
            case let code where code.hasPrefix("TODOMATE_"): .broken(reply.detail)
            case "OOM": .unavailable(Self.isFull)
            case "READONLY": .unavailable("this Redis is a read-only replica: name the primary with --redis")
            case "NOREPLICAS":
                .unavailable(
                    "Redis has too few replicas in step and wrote nothing (min-replicas-to-write): try again; "
                        + "INFO replication at the primary shows which are missing"
                )
            case "NOPERM": .unavailable("the Redis user may not do this: \(reply.detail)")
            case "WRONGTYPE": .broken("a key is of another type than TodoMate gave it: 'todomate doctor' says which")
            default: .unavailable(error.description)
            }
    }

    private static let isFull =
        "Redis is out of memory and wrote nothing: removing and hiding still work; its operator can raise maxmemory"

    /// A conflict's text continues with the current todo as JSON.
    private static let currentMark = "; current: "

    private static func advice(_ detail: String) -> String {
        detail.firstRange(of: currentMark).map { String(detail[..<$0.lowerBound]) } ?? detail
    }

    private static func current(_ detail: String) -> Todo? {
        detail.firstRange(of: currentMark).flatMap { try? TodoRecord(json: Array(detail[$0.upperBound...].utf8)).todo }
    }
}
