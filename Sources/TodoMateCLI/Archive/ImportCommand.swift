import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate import`
struct ImportCommand: Command {
    private static let file = Positional<String?>(
        optional: "file",
        as: .text,
        help: "What 'todomate export' wrote; without it, or as '-': standard input."
    )
    private static let user = Option<String?>(
        "user",
        short: "u",
        as: .user,
        valueName: "user",
        help: "Take only this user's lines out of the file."
    )
    private static let dryRun = Flag("dry-run", short: "n", help: "Only check the lines; Redis is not asked.")
    private static let keepGoing = Flag(
        "keep-going",
        short: "k",
        help: "Leave refused lines out and import the others."
    )
    private static let replace = Flag(
        "replace",
        help: "Let the file win where another todo has the same id; otherwise such a line is refused."
    )
    private static let from = Option(
        "from",
        as: .integer(in: 1 ... .max),
        default: 1,
        valueName: "line",
        help: "Begin with this line, after an import that was interrupted."
    )

    static let spec = CommandSpec(
        name: "import",
        summary: "Read todos that 'todomate export' wrote.",
        discussion:
            "Every line is checked before the first is written; refused ones are told by number and reason, and without "
            + "--keep-going nothing is written then. That another todo has an id already, in Redis or in a line before, "
            + "shows only on writing: the import stops there, and says where to go on. What is there already, the same, is left "
            + "alone: importing again after an interruption, or twice, is safe.\n\n"
            + "A line is a JSON object with id, uid, date and content, and optionally detail, status, position, createdAt, "
            + "updatedAt and visibility, which are all kept; revision and micros are given out anew, as each todo that is "
            + "written is a change of its own. Open boards show what comes in. An export "
            + "--with-profiles has accounts as well: both sides of each following are brought together at the end.\n\n"
            + "Exit codes: 65 some lines were refused, 69 Redis went away, 130 interrupted; the last two say where to go on.",
        positionals: [file],
        options: [user, dryRun, keepGoing, replace, from] + RedisOptions.all,
        examples: [
            .init("todomate import todos.jsonl --dry-run", "Is the file in order?"),
            .init("todomate import todos.jsonl"),
            .init("zcat backup.jsonl.gz | todomate import --user alice", "Only alice's todos."),
        ]
    )

    private let path: String?
    private let options: Import.Options
    private let redis: RedisOptions
    private let talk: Terminal

    init(_ arguments: ParsedArguments) throws {
        let file = try arguments[Self.file]
        path = file == "-" ? nil : file
        options = Import.Options(
            user: try arguments[Self.user],
            isDryRun: try arguments[Self.dryRun],
            keepsGoing: try arguments[Self.keepGoing],
            replaces: try arguments[Self.replace],
            firstLine: try arguments[Self.from]
        )
        redis = try RedisOptions(arguments)
        talk = Terminal(descriptor: STDERR_FILENO, environment: arguments.environment)
    }

    func run() async throws -> ExitCode {
        let source = try ImportSource(path)
        let stop = await StopSignal()
        var check = ImportCheck(source: source, options: options, talk: talk, isStopped: { await stop.isStopped })
        let checked = try await check.run()
        if options.isDryRun || checked.refused > 0 && !options.keepsGoing {
            let advice = options.isDryRun ? "" : "; nothing was written: mend them, or leave them out with --keep-going"
            let good = checked.good == 1 ? "1 line is good" : "\(checked.good.grouped) lines are good"
            talk.write("\(good), \(checked.refused.grouped) refused\(advice)\n")
            return checked.refused == 0 ? .ok : .dataError
        }
        let archive = await redis.archive()
        var work = Import(
            archive: archive,
            source: source,
            options: options,
            checked: checked,
            talk: talk,
            isStopped: { await stop.isStopped }
        )
        do {
            let code = try await work.run()
            await archive.close()
            return code
        } catch {
            await archive.close()
            throw error
        }
    }
}
