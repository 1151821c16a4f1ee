import EventLoop
import TodoMate

/// `todomate doctor`
struct DoctorCommand: Command {
    private static let ready = Flag(
        "ready",
        help: "Only tell whether the worker at --listen, or else Redis, serves now: for health checks."
    )

    static let spec = CommandSpec(
        name: "doctor",
        summary: "Tell whether all is well.",
        discussion: "Exit codes: 0 all is well, 1 something is not.",
        options: [ready, GatewayOptions.listen] + RedisOptions.all,
        examples: [
            .init(
                "todomate doctor --ready",
                "The worker at TODOMATE_LISTEN, or else Redis: as a container's HEALTHCHECK."
            )
        ]
    )

    private let check: ReadyCheck

    init(_ arguments: ParsedArguments) throws {
        check = ReadyCheck(listen: try arguments[GatewayOptions.listen], redis: try RedisOptions(arguments))
    }

    func run() async throws -> ExitCode {
        if let objection = try await check.objection() {
            throw CommandError("not ready: \(objection)", exitCode: .unhealthy)
        }
        try StandardOutput.write("ready\n")
        return .ok
    }
}
