import EventLoop
import RedisClient
import TerminalUI
import TodoMate

/// One thing that the doctor checks.
struct DoctorCheck: Sendable {
    /// What a check works with.
    struct Context: Sendable {
        /// A connection to the Redis that is checked.
        let client: RedisClient
        /// How that Redis was named.
        let redis: RedisPlace
        /// Which mail server there is, if any.
        let mail: MailOptions
        /// Whether to repair what can be repaired without guessing.
        let mayRepair: Bool
        /// The nodes that were not heard from so far.
        let silence: NodeSilence
        /// Where progress is shown.
        let messages: Terminal
    }

    /// Whether it goes through the todos, for which all of a cluster must be there.
    var readsTodos = false
    let run: @LoopActor @Sendable (Context) async throws -> [Finding]

    /// All checks, in the order of the report. A check of more kinds of keys is added here, and its keys to `TodoKeys.Part`.
    static let all = [
        DoctorCheck(run: ServerCheck.run),
        DoctorCheck(run: ClusterCheck.run),
        DoctorCheck(run: PermissionCheck.run),
        DoctorCheck(run: SpeedCheck.run),
        DoctorCheck(run: FunctionCheck.run),
        DoctorCheck(run: MailCheck.run),
        DoctorCheck(readsTodos: true, run: KeyCheck.run),
        DoctorCheck(readsTodos: true, run: FollowingCheck.run),
        DoctorCheck(readsTodos: true, run: AccountCheck.run),
        DoctorCheck(readsTodos: true, run: IdentityCheck.run),
    ]
}
