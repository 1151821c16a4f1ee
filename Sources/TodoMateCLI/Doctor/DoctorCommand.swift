import CommandArguments
import EventLoop
import Foundation
import HTTPServing
import TerminalUI
import TodoMate

/// `todomate doctor`
struct DoctorCommand: Command {
    private static let ready = Flag(
        "ready",
        help: "Only tell whether the worker at --listen, or else Redis, serves now: for health checks."
    )
    private static let listen = Option<ListenAddress?>(
        "listen",
        short: "l",
        as: ValueParser { try ListenAddress($0) },
        valueName: "address",
        environment: "TODOMATE_LISTEN",
        help: "With --ready: where the worker of this machine serves HTTP, as it was told itself."
    )
    private static let repair = Flag(
        "repair",
        help:
            "Mend the index of days and the counts of versions and open todos where the todos and they disagree, and the sides "
            + "of followings that were left half-way; nothing else is touched."
    )
    private static let json = Flag("json", help: "Print one JSON object instead of text.")

    static let spec = CommandSpec(
        name: "doctor",
        summary: "Look Redis and the todos in it over, and say what to do.",
        discussion:
            "Looks at version, persistence, eviction, memory, output buffers, connections, replication, permissions, latency, "
            + "clock, functions, leftover keys and keys of another type than they must be (those of accounts and sessions among "
            + "them), deletions of users that were begun and are not over, whether each user's todos, "
            + "index, counts and log agree, and whether the two sides of each following do. It only reads, unless "
            + "--repair is given; what it repairs is repaired atomically, and open boards see it.\n\n"
            + "Exit codes: 0 all is well, 1 there are errors, 2 there are warnings only, 69 Redis cannot be reached. With "
            + "--ready: 0 it serves, 1 it does not.",
        options: [ready, repair, json, listen] + RedisOptions.all,
        examples: [
            .init("todomate doctor"),
            .init("todomate doctor --json | jq -r '.findings[] | select(.severity == \"error\") | .message'"),
            .init(
                "todomate doctor --ready",
                "The worker at TODOMATE_LISTEN, or else Redis: as a container's HEALTHCHECK."
            ),
        ]
    )

    private let readyCheck: ReadyCheck?
    private let mayRepair: Bool
    private let asJSON: Bool
    private let redis: RedisOptions
    private let environment: [String: String]

    init(_ arguments: ParsedArguments) throws {
        redis = try RedisOptions(arguments)
        mayRepair = try arguments[Self.repair]
        asJSON = try arguments[Self.json]
        environment = arguments.environment
        let listen = try arguments[Self.listen]
        readyCheck = try arguments[Self.ready] ? ReadyCheck(listen: listen, redis: redis) : nil
        guard readyCheck == nil || !mayRepair && !asJSON else {
            throw CommandError.usage("--ready goes with neither --repair nor --json")
        }
    }

    func run() async throws -> ExitCode {
        if let readyCheck {
            guard let objection = try await readyCheck.objection() else {
                try StandardOutput.write("ready\n")
                return .ok
            }
            throw CommandError("not ready: \(objection)", exitCode: .unhealthy)
        }
        let report = DoctorReport(try await findings())
        let style = Terminal(environment: environment).styleSupport
        try StandardOutput.write(asJSON ? report.json() : report.text(style: style))
        return report.exitCode
    }

    @LoopActor
    private func findings() async throws -> [Finding] {
        try await redis.withClient { client in
            let talk = Terminal(descriptor: STDERR_FILENO, environment: environment)
            let patient = Examination.Patient(client: client, redis: redis, mayRepair: mayRepair, talk: talk)
            var findings: [Finding] = []
            for examination in Examination.all { findings += try await examination.look(patient) }
            return findings
        }
    }
}
