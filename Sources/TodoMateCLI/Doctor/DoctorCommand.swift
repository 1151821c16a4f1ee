import CommandArguments
import EventLoop
import Foundation
import HTTPServing
import TerminalUI
import TodoMate

/// `todomate doctor`
struct DoctorCommand: Command {
    static let about = CommandDescription(
        name: "doctor",
        summary: "Look Redis and the todos in it over, and say what to do.",
        discussion:
            "Looks at version, persistence, eviction, memory, output buffers, connections, replication, permissions, latency, "
            + "clock, functions, each primary of a cluster, who serves its slots and how evenly, leftover keys and keys of another type than they must be (those of accounts and sessions among "
            + "them), deletions of users that were begun and are not over, whether each user's todos, "
            + "index, counts and log agree and goals can be read, and whether the two sides of each following do; with --mail-file also whether the "
            + "mail server lets this server in, without sending anything. It only reads, unless "
            + "--repair is given; what it repairs is repaired atomically, and open boards see it.\n\n"
            + "Exit codes: 0 all is well, 1 there are errors, 2 there are warnings only, 69 Redis cannot be reached. With "
            + "--ready: 0 it serves, 1 it does not.",
        examples: [
            .init("todomate doctor"),
            .init("todomate doctor --json | jq -r '.findings[] | select(.severity == \"error\") | .message'"),
            .init(
                "todomate doctor --ready",
                "The worker at TODOMATE_LISTEN, or else Redis: as a container's HEALTHCHECK."
            ),
        ]
    )

    @Flag(
        "ready",
        help: "Only check whether the worker at --listen, or else Redis, serves now: for health checks."
    )
    private var ready: Bool
    @Flag(
        "repair",
        help:
            "Mend the index of days and the counts of versions and open todos where the todos and they disagree, and the sides "
            + "of followings that were left half-way; nothing else is touched."
    )
    private var mayRepair: Bool
    @Flag("json", help: "Print one JSON object instead of text.") private var asJSON: Bool
    @Option(
        "listen",
        short: "l",
        as: ValueParser { try ListenAddress($0) },
        valueName: "address",
        environment: "TODOMATE_LISTEN",
        help: "With --ready: where the worker on this machine serves HTTP, as in its own --listen."
    )
    private var listen: ListenAddress?
    private let mail = MailOptions()
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let redis = try redis.place()
        if ready {
            guard !mayRepair, !asJSON else { throw CommandError.usage("--ready goes with neither --repair nor --json") }
            switch try await ReadyCheck(listen: listen, redis: redis).answer() {
            case .ready(but: let limitation):
                try StandardOutput.write("ready" + (limitation.map { ", but \($0)" } ?? "") + "\n")
                return .ok
            case .notReady(let objection): throw CommandError("not ready: \(objection)", exitCode: .unhealthy)
            }
        }
        let report = DoctorReport(try await findings(redis))
        let style = Terminal(environment: environment).styleSupport
        try StandardOutput.write(asJSON ? report.json() : report.text(style: style))
        return report.exitCode
    }

    @LoopActor
    private func findings(_ redis: RedisPlace) async throws -> [Finding] {
        try await redis.withClient { client in
            let messages = Terminal(descriptor: STDERR_FILENO, environment: environment)
            let context = DoctorCheck.Context(
                client: client,
                redis: redis,
                mail: mail,
                mayRepair: mayRepair,
                silence: NodeSilence(),
                messages: messages
            )
            var findings: [Finding] = []
            for check in DoctorCheck.all {
                if check.readsTodos, findings.contains(where: \.keepsTodosFromSight) { continue }
                // A node that does not answer is a finding of each check that asks the nodes.
                for finding in try await check.run(context) where !findings.contains(finding) {
                    findings.append(finding)
                }
            }
            if findings.contains(where: \.keepsTodosFromSight) {
                findings.append(.note("todos", "not checked: they are once all nodes of the cluster serve"))
            }
            return findings
        }
    }
}
