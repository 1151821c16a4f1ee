import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateClient
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
            + "At a server (see 'todomate login') it writes your own: with --with-profiles all that is stored of you, but for the password.\n\n"
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
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        if let output, [".gz", ".zst", ".xz", ".bz2"].contains(where: output.hasSuffix) {
            throw CommandError.usage(
                "an export is not compressed: leave --output out, and pipe it, as in todomate export | gzip > todos.jsonl.gz"
            )
        }
        let stop = await StopSignal()
        let messages = Terminal(descriptor: STDERR_FILENO, environment: environment)
        switch try places.place() {
        case .redis(let place):
            return try await place.withArchive { archive in
                var export = try Export(
                    archive: archive,
                    writer: ArchiveWriter(output),
                    withProfiles: withProfiles,
                    messages: messages,
                    isStopped: { await stop.isStopped }
                )
                return try await export.run(users.uniqued)
            }
        case .server(let place):
            return try await place.withClient { client in
                guard users.allSatisfy({ $0 == client.uid }) else {
                    throw CommandError.usage("at a server you export your own: \(client.uid) is signed in there")
                }
                let export = OwnExport(client: client, withProfiles: withProfiles, messages: messages) {
                    stop.isStopped
                }
                try await export.run(into: ArchiveWriter(output))
                return .ok
            }
        }
    }
}
