import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate export`
struct ExportCommand: Command {
    static let about = CommandDescription(
        name: "export",
        summary: "Write todos as JSON Lines, for a backup or another program.",
        discussion:
            "One todo a line, exactly as Redis holds it; 'todomate import' reads it back, but for how many reacted with what, which "
            + "only --with-profiles brings along. A user with at most 10,000 todos is "
            + "read at one moment; of a larger one, what changes meanwhile may be there as before or after the change.\n\n"
            + "On a terminal it shows a progress bar. Exit code 65: some stored todos were edited by hand and cannot be read; "
            + "they are named, and the others are written.",
        examples: [
            .init("todomate export --output todos.jsonl", "Everybody's todos."),
            .init("todomate export alice | jq -r .content", "What alice has to do."),
            .init("todomate export --with-profiles | gzip > backup.jsonl.gz"),
        ]
    )

    @Positional(repeating: "user", as: .user, help: "Whose todos; all users' if omitted.")
    private var users: [String]
    @Option(
        "output",
        short: "o",
        as: .text,
        valueName: "file",
        help: "Write into this file, which is replaced only once the export is complete. Standard output by default."
    )
    private var output: String?
    @Flag(
        "with-profiles",
        help:
            "Write accounts too: settings, password hashes, mail addresses, followings, blocks and reactions, but no second "
            + "factors. Keep such a file as you keep passwords."
    )
    private var withProfiles: Bool
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        if let output, [".gz", ".zst", ".xz", ".bz2"].contains(where: output.hasSuffix) {
            throw CommandError.usage(
                "an export is not compressed: leave --output out, and pipe it, as in todomate export | gzip > todos.jsonl.gz"
            )
        }
        let stop = await StopSignal()
        return try await redis.place().withArchive { archive in
            var export = try Export(
                archive: archive,
                writer: ArchiveWriter(output),
                withProfiles: withProfiles,
                messages: Terminal(descriptor: STDERR_FILENO, environment: environment),
                isStopped: { await stop.isStopped }
            )
            return try await export.run(users.uniqued)
        }
    }
}
