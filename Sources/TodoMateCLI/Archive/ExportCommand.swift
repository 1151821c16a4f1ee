import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate export`
struct ExportCommand: Command {
    private static let users = Positional(
        repeating: "user",
        as: .user,
        atLeast: 0,
        help: "Whose todos; without any: everybody's."
    )
    private static let output = Option<String?>(
        "output",
        short: "o",
        as: .text,
        valueName: "file",
        help: "Write into this file, which is replaced only once the export is whole. Without it: standard output."
    )
    private static let withProfiles = Flag(
        "with-profiles",
        help: "Write accounts too: settings, password hashes, who follows and blocks whom, and reactions. Keep such a "
            + "file as you keep passwords."
    )

    static let spec = CommandSpec(
        name: "export",
        summary: "Write todos as JSON Lines, for a backup or another program.",
        discussion:
            "One todo a line, exactly as Redis holds it; 'todomate import' reads it back, but for how many reacted with what, which "
            + "only --with-profiles brings along. A user with at most 10,000 todos is "
            + "read at one moment; of a larger one, what changes meanwhile may be there as before or after the change.\n\n"
            + "A progress bar shows on a terminal. Exit code 65: some stored todos were edited by hand and cannot be read; "
            + "they are named, and the others are written.",
        positionals: [users],
        options: [output, withProfiles] + RedisOptions.all,
        examples: [
            .init("todomate export --output todos.jsonl", "Everybody's todos."),
            .init("todomate export alice | jq -r .content", "What alice has to do."),
            .init("todomate export --with-profiles | gzip > backup.jsonl.gz"),
        ]
    )

    private let users: [String]
    private let output: String?
    private let withProfiles: Bool
    private let redis: RedisOptions
    private let talk: Terminal

    init(_ arguments: ParsedArguments) throws {
        var seen: Set<String> = []
        users = try arguments[Self.users].filter { seen.insert($0).inserted }
        output = try arguments[Self.output]
        if let output, [".gz", ".zst", ".xz", ".bz2"].contains(where: output.hasSuffix) {
            throw CommandError.usage(
                "an export is not compressed: leave --output out, and pipe it, as in todomate export | gzip > todos.jsonl.gz"
            )
        }
        withProfiles = try arguments[Self.withProfiles]
        redis = try RedisOptions(arguments)
        talk = Terminal(descriptor: STDERR_FILENO, environment: arguments.environment)
    }

    func run() async throws -> ExitCode {
        let archive = await redis.archive()
        let stop = await StopSignal()
        do {
            var export = try Export(
                archive: archive,
                writer: ArchiveWriter(output),
                withProfiles: withProfiles,
                talk: talk,
                isStopped: { await stop.isStopped }
            )
            let code = try await export.run(users)
            await archive.close()
            return code
        } catch {
            await archive.close()
            throw error
        }
    }
}
