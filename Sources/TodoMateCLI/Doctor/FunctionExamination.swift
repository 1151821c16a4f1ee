import EventLoop
import RedisClient
import TodoMateRedis

/// Whether Redis has the function library, and in which version.
@LoopActor
enum FunctionExamination {
    static func look(_ patient: Examination.Patient) async throws -> [Finding] {
        let topic = "functions"
        let (reply, own) = (
            try await patient.client.pipelined([RedisCommand("FCALL_RO", "todomate_version", "0")])[0],
            RedisArchive.libraryVersion
        )
        switch reply {
        case .integer(own): return [.ok(topic, "version \(own) of the library, as this program has it")]
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
}
