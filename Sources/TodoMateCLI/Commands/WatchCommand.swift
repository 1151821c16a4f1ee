import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// `todomate watch`
struct WatchCommand: Command {
    private static let users = Positional(repeating: "user", as: .user, help: "Whose todos to watch.")

    static let spec = CommandSpec(
        name: "watch",
        summary: "Watch users' todos live in the terminal.",
        discussion:
            "One user: today's list beside the month. Several: their lists of today side by side. Into a pipe or a file "
            + "it writes plain lines: today's todos, then each change.",
        positionals: [users],
        options: RedisOptions.all,
        examples: [.init("todomate watch alice"), .init("todomate watch alice bob | tee changes.txt")]
    )

    private let users: [String]
    private let redis: RedisOptions
    private let environment: [String: String]

    init(_ arguments: ParsedArguments) throws {
        var seen: Set<String> = []
        users = try arguments[Self.users].filter { seen.insert($0).inserted }
        redis = try RedisOptions(arguments)
        environment = arguments.environment
    }

    @LoopActor
    func run() async throws -> ExitCode {
        let terminal = Terminal(environment: environment)
        return try await redis.withRepository { repository in
            let service = DIContainer(repository: repository).todoRealtimeService
            let stop = StopSignal()
            if terminal.isInteractive {
                await showBoard(on: terminal, repository, service, until: stop)
            } else {
                await printLines(to: terminal, repository, service, until: stop)
            }
            return .ok
        }
    }

    @LoopActor
    private func showBoard(
        on terminal: Terminal,
        _ repository: RedisTodoRepository,
        _ service: any TodoRealtimeServiceType,
        until stop: StopSignal
    ) async {
        let lists = users.map { TodoListViewModel(service: service, uid: $0) }
        let month =
            users.count > 1
            ? nil
            : lists.first.map {
                TodosInMonthViewModel(service: service, uid: $0.uid, month: CalendarMonth(containing: $0.date))
            }
        let screen = BoardScreen(terminal: terminal, lists: lists, month: month)
        repository.onConnectionChange = { screen.note($0) }
        for model in lists { model.onAppear() }
        month?.onAppear()
        screen.open()
        await stop.wait()
        screen.close()
        month?.onDisappear()
        for model in lists { model.onDisappear() }
    }

    @LoopActor
    private func printLines(
        to terminal: Terminal,
        _ repository: RedisTodoRepository,
        _ service: any TodoRealtimeServiceType,
        until stop: StopSignal
    ) async {
        let log = ConnectionLog(Logger(label: "watch"))
        repository.onConnectionChange = { log.note($0) }
        let boards = users.map { uid in
            PlainBoard(uid: uid, service: service, today: { CalendarDate(Date(), in: .current) }) { line in
                if !terminal.write(line + "\n") { stop.stop() }
            }
        }
        for board in boards { board.open() }
        await stop.wait()
        for board in boards { board.close() }
    }
}
