import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate import`
struct ImportCommand: Command {
    static let about = CommandDescription(
        name: "import",
        summary: "Read todos that 'todomate export' wrote.",
        discussion:
            "Every line is checked before the first is written; refused ones are reported by number and reason, and without "
            + "--keep-going nothing is written then. That another todo has an id already, in Redis or in a line before, "
            + "shows only on writing: the import stops there, and says where to continue. What is there already, the same, is left "
            + "alone: importing again after an interruption, or twice, is safe.\n\n"
            + "A line is a JSON object with id, uid, date and content, and optionally time, detail, status, position, "
            + "createdAt, updatedAt, visibility and goal, which are all kept; revision and micros are given out anew, as each todo that is "
            + "written is a change of its own. Open boards show the changes. An export "
            + "--with-profiles has accounts as well: both sides of each following are brought together at the end. "
            + "An account's goals come in all or none, and over others only with --replace, in place of all of them; a todo keeps the "
            + "id of a goal that is not there, and shows without one.\n\n"
            + "Exit codes: 65 some lines were refused, 69 Redis went away, 130 interrupted; the last two say where to continue.",
        examples: [
            .init("todomate import todos.jsonl --dry-run", "Is the file in order?"),
            .init("todomate import todos.jsonl"),
            .init("zcat backup.jsonl.gz | todomate import --user alice", "Only alice's todos."),
        ]
    )

    @Positional(
        optional: "file",
        as: .text,
        help: "A file that 'todomate export' wrote; '-' or none for standard input."
    )
    private var file: String?
    private let options = Import.Options()
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let redis = try redis.place()
        let messages = Terminal(descriptor: STDERR_FILENO, environment: environment)
        let source = try ImportSource(file == "-" ? nil : file)
        let stop = await StopSignal()
        var check = ImportCheck(
            source: source,
            options: options,
            messages: messages,
            isStopped: { await stop.isStopped }
        )
        let checked = try await check.run()
        if options.isDryRun || checked.refused > 0 && !options.keepsGoing {
            let advice = options.isDryRun ? "" : "; nothing was written: correct them, or skip them with --keep-going"
            let good = checked.good == 1 ? "1 line is good" : "\(checked.good.grouped) lines are good"
            messages.write("\(good), \(checked.refused.grouped) refused\(advice)\n")
            return checked.refused == 0 ? .ok : .dataError
        }
        return try await redis.withArchive { archive in
            var work = Import(
                archive: archive,
                source: source,
                options: options,
                checked: checked,
                messages: messages,
                isStopped: { await stop.isStopped }
            )
            return try await work.run()
        }
    }
}
