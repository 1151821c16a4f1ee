import EventLoop
import RedisClient
import TodoMateRedis

/// Whether Redis has the function library, and in which version.
@LoopActor
enum FunctionCheck {
    private static let topic = "functions"
    /// The users of a node that is without it are not served; those of the others are.
    private static let isForOthersToLoad = Finding.warning(
        topic,
        "the library is not there, and this Redis user may not load it",
        "todomate library load, as a Redis user who may FUNCTION LOAD"
    )

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        try await EachNode.findings(context, findings).map {
            // No node is named where all are without it.
            $0 == isForOthersToLoad ? .error(topic, $0.message, $0.advice ?? "") : $0
        }
    }

    private static func findings(_ node: RedisNode) async throws(RedisError) -> [Finding] {
        let (reply, own) = (
            try await node.pipelined([RedisCommand("FCALL_RO", "todomate_version", "0")])[0],
            RedisArchive.libraryVersion
        )
        switch reply {
        case .integer(own):
            let found = Finding.ok(topic, "version \(own) of the library, as this program has it")
            return [found] + (try await refusedWrites(node))
        case .integer(let stored) where stored < own:
            return [
                .note(
                    topic,
                    "version \(stored) of the library; the next worker or command of this program loads \(own)"
                )
            ]
        case .integer(let stored):
            return [
                .note(
                    topic,
                    "version \(stored) of the library, newer than this program's \(own)",
                    "run the newer program"
                )
            ]
        case .error(let error) where RedisError.server(error).isMissingFunction:
            guard try await PermissionCheck.mayLoad(at: node) else { return [isForOthersToLoad] }
            return [.note(topic, "the library is not there yet; the first worker or command loads it")]
        case .error(let error):
            return [
                .error(topic, "the functions cannot be called: \(error.message)", "ACL SETUSER <user> +fcall +fcall_ro")
            ]
        default:
            return [
                .error(topic, "todomate_version answers no number", "FUNCTION DELETE todomate, then start a worker")
            ]
        }
    }

    /// The server's facts tell why; whether writes are refused at this moment, only a write tells.
    private static func refusedWrites(_ node: RedisNode) async throws(RedisError) -> [Finding] {
        let reply = try await node.pipelined([RedisCommand("FCALL", "todomate_writable", "0")])[0]
        guard case .error(let error) = reply else { return [] }
        return [
            .error(
                "writes",
                "writes are refused: \(error.message)",
                "see what is said above of memory, disk and replication; removing and hiding work when memory is full"
            )
        ]
    }
}
