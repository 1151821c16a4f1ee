import EventLoop
import RedisClient
import TerminalUI
import TodoMate

/// One of the things that the doctor looks at.
struct Examination: Sendable {
    /// What an examination works with.
    struct Patient: Sendable {
        /// A connection to the Redis in question.
        let client: RedisClient
        /// How that Redis was named.
        let redis: RedisPlace
        /// Whether what can be mended without guessing is to be mended.
        let mayRepair: Bool
        /// Where progress is shown.
        let talk: Terminal
    }

    let look: @LoopActor @Sendable (Patient) async throws -> [Finding]

    /// All of them, in the order of the report. An examination of more kinds of keys is added here, and its keys to `TodoKeys.Part`.
    static let all = [
        Examination(look: ServerExamination.look),
        Examination(look: PermissionExamination.look),
        Examination(look: SpeedExamination.look),
        Examination(look: FunctionExamination.look),
        Examination(look: KeyExamination.look),
        Examination(look: FollowingExamination.look),
        Examination(look: AccountExamination.look),
    ]
}
