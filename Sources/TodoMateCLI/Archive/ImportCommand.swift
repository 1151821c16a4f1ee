import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateClient
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
            + "At a server (see 'todomate login') it is for your own: todos, settings, goals, routines, whom you follow and whom you "
            + "block. Your password and your address stay as they are there; who follows you and who reacted is for others to say, and "
            + "is left out. Goals come one by one there, and go on where they were interrupted. It takes as long as the server lets "
            + "one write so much; Ctrl-C ends the waiting, and a second one everything.\n\n"
            + "Exit codes: 65 some lines were refused, 69 Redis or the server went away, 130 interrupted; the last two say where to continue.",
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
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let source = try ImportSource(file == "-" ? nil : file)
        let stop = await StopSignal()
        switch try places.place() {
        case .redis(let place):
            guard let checked = try await check(source, for: nil, stop) else { return .dataError }
            if options.isDryRun { return checked.refused == 0 ? .ok : .dataError }
            return try await place.withArchive { try await write(source, checked, into: $0, stop) }
        case .server(let place):
            return try await place.withClient { client in
                if let user = options.user, user != client.uid {
                    throw CommandError.usage("at a server you import your own: \(client.uid) is signed in there")
                }
                guard let checked = try await check(source, for: client.uid, stop) else { return .dataError }
                if options.isDryRun { return checked.refused == 0 ? .ok : .dataError }
                return try await write(source, checked, into: client.archive, stop)
            }
        }
    }

    private var messages: Terminal { Terminal(descriptor: STDERR_FILENO, environment: environment) }

    /// Looks at all lines, and says what it found unless they are to be written.
    ///
    /// - Returns: nil where nothing may be written.
    private func check(
        _ source: ImportSource,
        for owner: String?,
        _ stop: StopSignal
    ) async throws -> ImportCheck.Outcome? {
        var check = ImportCheck(
            source: source,
            options: options,
            owner: owner,
            messages: messages,
            isStopped: { await stop.isStopped }
        )
        let checked = try await check.run()
        let isRefused = checked.refused > 0 && !options.keepsGoing
        guard options.isDryRun || isRefused else { return checked }
        let advice = options.isDryRun ? "" : "; nothing was written: correct them, or skip them with --keep-going"
        let good = checked.good == 1 ? "1 line is good" : "\(checked.good.grouped) lines are good"
        messages.write("\(good), \(checked.refused.grouped) refused\(advice)\n")
        return options.isDryRun ? checked : nil
    }

    /// A signal ends the waiting for a server, and a second one everything.
    @LoopActor
    private static func stop(_ archive: any ImportTarget, when stop: StopSignal) {
        stop.onStop = { archive.endWaiting() }
        stop.onRepeat = { exit(ExitCode.interrupted.rawValue) }
        if stop.isStopped { archive.endWaiting() }
    }

    private func write(
        _ source: ImportSource,
        _ checked: ImportCheck.Outcome,
        into archive: any ImportTarget,
        _ stop: StopSignal
    ) async throws -> ExitCode {
        await Self.stop(archive, when: stop)
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
