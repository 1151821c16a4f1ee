import CommandArguments
import EventLoop
import Foundation
import RedisClient
import TerminalUI
import TodoMate
import TodoMateClient
import TodoMateRedis

/// `todomate watch`
struct WatchCommand: Command {
    static let about = CommandDescription(
        name: "watch",
        summary: "Work on users' todos live in the terminal.",
        discussion:
            "The board shows the list of today, or of another day, beside the month; what is unfinished from earlier days stands above "
            + "today. With several users, their lists are side by side, and the month is that of the list that has the keys. Every change "
            + "shows at once, wherever it is made; while Redis is unreachable, the board says so, and then catches up.\n\n"
            + "At a server (see 'todomate login') it also works without a network: it opens with what was last seen, what is typed is kept "
            + "in ~/.local/state/todomate, and is sent once the server is there, or by the next board. The last line says how things "
            + "stand; ! shows what waits, and what the server refused and why. One board at a time keeps things; a second one needs "
            + "the network, and says so.\n\n"
            + "Anyone who can connect to Redis is an operator, who sees and changes everything, as with redis-cli. With --as it is one "
            + "user's board: others' todos show as far as they share them, come and go as they are shown, hidden, followed "
            + "and blocked, and cannot be changed.\n\n"
            + "Days, weeks and words follow LANG (English and Korean); NO_COLOR turns the colours off.\n\n"
            + "Into a pipe or a file, and with --json, it writes lines: today's todos, then each change.",
        lists: [
            HelpText.List(
                title: "Keys",
                entries: BoardKeymap.help.map { keys, command in
                    let text = EnglishWords().help(command)
                    return HelpText.Entry(term: keys, text: text.prefix(1).uppercased() + text.dropFirst() + ".")
                }
            )
        ],
        examples: [
            .init("todomate watch alice"),
            .init("todomate watch alice bob carol", "Alice's list, and beside it those of two others."),
            .init("todomate watch --as alice", "Alice's board: her list, and as much of others' as she may see."),
            .init("todomate watch alice bob | tee changes.txt"),
            .init("todomate watch alice --json", "Each change as the message that Redis published."),
        ]
    )

    @Positional(
        repeating: "user",
        as: .user,
        environment: "TODOMATE_USER",
        help: "Whose todos to watch, your own first. At a server, by default yours and those of whom you follow."
    )
    private var named: [String]
    @Option(
        "as",
        as: .user,
        valueName: "user",
        help: "See what this user may see, and write only what is theirs. Without users: theirs and those they follow."
    )
    private var viewer: String?
    @Flag("json", help: "Write lines of JSON instead, even on a terminal.") private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    /// The users that the command line or the environment names, each once; none for the viewer and those they follow.
    private var users: [String] {
        let named = named.uniqued
        // The environment names the user, not those to watch as another viewer.
        return viewer != nil && named == [environment["TODOMATE_USER"]] ? [] : named
    }

    @LoopActor
    func run() async throws -> ExitCode {
        guard viewer != nil || !users.isEmpty else { throw CommandError.usage("missing <user>") }
        switch try places.place() {
        case .redis(let place):
            return try await place.withRepository { repository in
                let container = DIContainer(repository: repository)
                if let viewer {
                    let log = Logger(label: "watch")
                    let sharing = SharingService(repository.stores, container.todoRealtimeService, log)
                    container.todoRealtimeService = ViewedTodos(by: viewer, from: sharing)
                }
                return try await watch(RedisBoardSource(repository, container), as: viewer, users)
            }
        case .server(let place):
            return try await place.withKeptClient(as: viewer ?? users.first, isWritten: showsBoard) { client, notKept in
                guard viewer == nil || viewer == client.uid else {
                    throw CommandError.usage("--as \(viewer ?? "") is for operators: \(client.uid) is signed in there")
                }
                // There the environment names who works, and so does the login.
                let others = named.uniqued == [environment["TODOMATE_USER"]] ? [] : users
                return try await watch(ServerBoardSource(client, notKept: notKept), as: client.uid, others)
            }
        }
    }

    private var terminal: Terminal { Terminal(environment: environment) }

    /// Whether it is a board to work on, and not lines.
    private var showsBoard: Bool { terminal.isInteractive && !asJSON }

    /// Shows the board until it is left.
    ///
    /// - Parameters:
    ///   - viewer: whose board it is; nil for an operator's.
    ///   - named: those to watch; none for the viewer and those they follow.
    @LoopActor
    private func watch(_ source: any BoardSource, as viewer: String?, _ named: [String]) async throws -> ExitCode {
        let container = source.container
        if let viewer { container.todoService = OwnTodosOnly(viewer, over: container.todoService) }
        let users = named.isEmpty ? try await circle(of: viewer, source.stores.relations) : named
        let stop = StopSignal()
        if showsBoard {
            try await showBoard(of: users, wasAsked: named.isEmpty, on: terminal, source, as: viewer, until: stop)
        } else {
            try await printLines(of: users, source, until: stop)
        }
        return .ok
    }

    /// The viewer and those they follow.
    @LoopActor
    private func circle(of viewer: String?, _ relations: any RelationStoreType) async throws -> [String] {
        guard let viewer else { return [] }
        try await relations.settle(viewer)
        let followed = try await relations.following(of: viewer).filter { $0.state == .following }
        return [viewer] + followed.map(\.uid)
    }

    @LoopActor
    private func showBoard(
        of users: [String],
        wasAsked: Bool,
        on terminal: Terminal,
        _ source: any BoardSource,
        as viewer: String?,
        until stop: StopSignal
    ) async throws {
        let stores = source.stores
        let screen = BoardScreen(
            terminal: terminal,
            container: source.container,
            stores: stores,
            users: users,
            viewer: viewer,
            people: KnownPeople(users, asKnownTo: viewer, from: stores.relations),
            language: BoardLanguage(environment: environment),
            onQuit: { stop.stop() }
        )
        // The connection is already up, and its listener is called for the next change only.
        source.connect(to: screen, wasAsked: wasAsked)
        screen.open()
        let announcements = source.announcements { screen.show($0) }
        announcements.start()
        defer { announcements.stop() }
        await stop.wait()
        // A second signal means not to wait for writes that cannot be saved.
        stop.onRepeat = {
            screen.abandon()
            Terminal(descriptor: STDERR_FILENO, environment: environment)
                .write("todomate watch: changes that were not saved: \(screen.unsaved)\n")
            exit(ExitCode.unavailable.rawValue)
        }
        let lost = await screen.close()
        if let leftover = source.leftover {
            Terminal(descriptor: STDERR_FILENO, environment: environment).write("todomate watch: \(leftover)\n")
        }
        if lost > 0 { throw CommandError("changes that were not saved: \(lost)", exitCode: .unavailable) }
    }

    @LoopActor
    private func printLines(
        of users: [String],
        _ source: any BoardSource,
        until stop: StopSignal
    ) async throws {
        source.log(to: Logger(label: "watch"))
        let service = source.container.todoRealtimeService
        let today: () -> CalendarDate = { CalendarDate(Date(), in: .current) }
        var failure: CommandError?
        let boards = users.map { uid in
            PlainBoard(uid: uid, service: service, asJSON: asJSON, today: today) { line in
                do throws(CommandError) {
                    if try !StandardOutput.write(line + "\n") { stop.stop() }
                } catch {
                    failure = error
                    stop.stop()
                }
            }
        }
        for board in boards { board.open() }
        let language = BoardLanguage(environment: environment)
        let announcements = source.announcements { announcement in
            guard let announcement else { return }
            let text = "announced  \(announcement.level.rawValue)  \(announcement.text(in: language).sanitized())"
            let json = JSONObject(["type": "announcement", "announcement": announcement.shown])
            _ = try? StandardOutput.write((asJSON ? json.text : text) + "\n")
        }
        announcements.start()
        defer { announcements.stop() }
        await stop.wait()
        for board in boards { board.close() }
        if let failure { throw failure }
    }
}
