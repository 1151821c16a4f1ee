import EventLoop
import RedisClient
import TodoMateRedis

/// Checks whether the Redis user may do all that workers and commands need.
@LoopActor
enum PermissionCheck {
    private static let topic = "permissions"
    /// A user that stands for all of them; nothing is executed.
    private static let key = TodoKeys.user("doctor")

    /// What is needed, as it is sent by a worker, by a function as it runs, or by a check.
    static let needed: [[String]] = [
        ["FCALL", "todomate_add", "1", key], ["FCALL_RO", "todomate_list", "1", key],
        ["FUNCTION", "LOAD", "REPLACE", ""], ["SET", TodoKeys.libraryLock, "1"], ["SELECT", "0"], ["PING"],
        ["HGET", key + ":todos", "t"], ["HMGET", key + ":todos", "t"], ["HSET", key + ":todos", "t", ""],
        ["HSETNX", key + ":todos", "t", ""], ["HDEL", key + ":todos", "t"], ["HEXISTS", key + ":todos", "t"],
        ["HSCAN", key + ":todos", "0"], ["HLEN", key + ":todos"], ["HVALS", key + ":todos"],
        ["HGETALL", key + ":open"], ["HINCRBY", key + ":open", "20261120", "1"], ["HKEYS", key + ":unsettled"],
        ["ZADD", key + ":days", "20261120", "t"], ["ZREM", key + ":days", "t"], ["ZCARD", key + ":days"],
        ["ZCOUNT", key + ":days", "0", "1"], ["ZRANGE", key + ":days", "0", "1"], ["ZSCORE", key + ":days", "t"],
        ["ZREVRANK", key + ":days", "t"], ["ZMSCORE", key + ":days", "t"],
        ["XADD", key + ":log", "*", "change", ""], ["XDEL", key + ":log", "1-1"], ["XRANGE", key + ":log", "-", "+"],
        ["XREVRANGE", key + ":log", "+", "-"], ["XLEN", key + ":log"], ["MEMORY", "USAGE", key + ":log"],
        ["EXISTS", key + ":todos"], ["TIME"],
        ["EXPIRE", key + ":addresses", "1"], ["TTL", key + ":addresses"], ["TYPE", key + ":addresses"],
        ["DEL", key + ":feed"], ["SCAN", "0"],
    ]

    /// What only one Redis needs.
    static let neededAlone: [[String]] = [
        ["SUBSCRIBE", key + ":changes"], ["PUBLISH", key + ":changes", ""], ["PSUBSCRIBE", TodoKeys.everyChannel],
        ["UNSUBSCRIBE", key + ":changes"], ["PUNSUBSCRIBE", TodoKeys.everyChannel],
    ]

    /// What only a cluster needs.
    static let neededInCluster: [[String]] = [
        ["SSUBSCRIBE", key + ":changes"], ["SPUBLISH", key + ":changes", ""], ["SUNSUBSCRIBE", key + ":changes"],
        ["SSUBSCRIBE", "todomate:probe:{0}:0"], ["SPUBLISH", "todomate:probe:{0}:0", ""],
        ["ASKING"], ["INFO", "cluster"], ["CLUSTER", "INFO"], ["CLUSTER", "SLOTS"], ["CLUSTER", "NODES"],
    ]

    /// What loading the library takes, and nothing else does.
    private static let loading: Set = ["function", "set"]

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        let needed = needed + (context.client.isCluster ? neededInCluster : neededAlone)
        return try await EachNode.findings(context) { try await findings($0, needed) }
    }

    private static func findings(_ node: RedisNode, _ needed: [[String]]) async throws(RedisError) -> [Finding] {
        guard let user = try await node.pipelined([RedisCommand("ACL", "WHOAMI")])[0].string else {
            return [unknown("the user")]
        }
        let answers = try await node.pipelined(
            needed.map { words in
                var command = RedisCommand("ACL", "DRYRUN", user)
                for word in words { command.append(word) }
                return command
            }
        )
        var missing: [String] = []
        for (words, answer) in zip(needed, answers) {
            if case .error = answer { return [unknown("'\(user)'")] }
            if answer.string != "OK" { missing.append(words[0].lowercased()) }
        }
        if !missing.isEmpty, Set(missing).isSubset(of: loading) {
            return [
                .ok(topic, "the Redis user '\(user)' may do all that is needed but load the function library"),
                .note(
                    topic,
                    "a new version of TodoMate needs 'todomate library load' before its workers start",
                    "run it as a Redis user who may FUNCTION LOAD"
                ),
            ]
        }
        guard missing.isEmpty else {
            return [
                .error(
                    topic,
                    "the Redis user '\(user)' may not do: \(Array(Set(missing)).sorted().joined(separator: ", "))",
                    "ACL SETUSER \(user) ~todomate:* &todomate:* with these commands, as deploy/redis/users.acl has them"
                )
            ]
        }
        return [.ok(topic, "the Redis user '\(user)' may do all that is needed")]
    }

    /// Whether this Redis user may load the function library, as far as that can be told.
    static func mayLoad(at node: RedisNode) async throws(RedisError) -> Bool {
        guard let user = try await node.pipelined([RedisCommand("ACL", "WHOAMI")])[0].string else { return true }
        let load = RedisCommand("ACL", "DRYRUN", user, "FUNCTION", "LOAD", "REPLACE", "")
        let answer = try await node.pipelined([load])[0]
        return answer.string == nil || answer.string == "OK"
    }

    private static func unknown(_ user: String) -> Finding {
        .note(
            topic,
            "the permissions of \(user) cannot be read",
            "run the doctor as a user with +acl|whoami +acl|dryrun, or look into ACL LOG"
        )
    }
}
