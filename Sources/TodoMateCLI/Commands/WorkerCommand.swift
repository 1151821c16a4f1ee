import CommandArguments
import EventLoop
import Foundation
import RedisClient
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate worker`
struct WorkerCommand: Command {
    static let about = CommandDescription(
        name: "worker",
        summary: "Run one worker until it is stopped.",
        discussion:
            "Each change that its observers receive goes to standard output, one line each; the log goes to standard "
            + "error. It waits for a Redis that is not there yet and connects again whenever the connection breaks; no change "
            + "is missed or printed twice.",
        examples: [
            .init("todomate worker --redis redis://127.0.0.1:6379/0 --observe alice,bob"),
            .init("todomate worker --listen 127.0.0.1:8080", "Serve HTTP and event streams."),
        ]
    )

    /// How long requests in progress may take when the worker is stopped.
    private static let drainTime = Duration.seconds(3)

    @Option(
        "observe",
        as: .list(of: .user),
        default: [],
        valueName: "users",
        environment: "TODOMATE_OBSERVE",
        help: "Print each change of these users, separated by commas."
    )
    private var users: [String]
    @Option(
        "name",
        as: .text,
        default: "",
        valueName: "name",
        environment: "TODOMATE_WORKER_NAME",
        help: "Put this before each line and into each log line."
    )
    private var name: String
    @Flag("json", help: "Print each change as its JSON message.") private var asJSON: Bool
    private let gateway = GatewayOptions()
    private let logging = LogOptions()
    private let redis = RedisOptions()

    private var logger: Logger { logging.logger(label: name) }

    /// What to serve and which Redis to use; it throws for what would keep a worker from starting.
    func settings() throws -> (gateway: GatewayConfiguration?, redis: RedisPlace) {
        (try gateway.configuration(), try redis.place())
    }

    @LoopActor
    func run() async throws -> ExitCode {
        let (configuration, redis) = try settings()
        // Each request says by itself which device sent it.
        return try await redis.withRepository(writingBy: nil) { repository in
            let stop = StopSignal()
            let (log, metrics) = (ConnectionLog(logger), Metrics(logger))
            repository.onConnectionChange = {
                log.note($0)
                metrics.connectionChanged(isConnected: $0 == .connected)
            }
            repository.onSubscriberChange = { log.noteSubscriber($0) }
            repository.onProbesRefused = { log.noteRefusedProbes($0) }
            repository.onReply = { metrics.replied(after: $0) }
            metrics.cluster = { [weak repository] in repository?.clusterFigures }
            let container = DIContainer(repository: repository, monitor: metrics)
            let service = container.todoRealtimeService
            let printer = ChangePrinter(name: name, asJSON: asJSON) { reason in
                guard !stop.isStopped else { return }
                logger.warning("standard output cannot be written: the worker ends", ["reason": reason])
                stop.stop()
            }
            logger.info("starting", ["pid": String(getpid()), "observe": users.joined(separator: ",")])
            if let advice = redis.advice { logger.warning(advice) }
            if users.isEmpty, configuration == nil {
                logger.warning("nothing to do: name users with --observe, or an address with --listen")
            }
            let open = try configuration.map { try openGateway($0, repository, container, metrics, log) }
            for user in users { service.addObserver(printer, for: user) }
            var refusal: TodoError?
            let announcement = Task {
                refusal = await prepare(repository, log)
                if refusal != nil { return stop.stop() }
                for user in users { await service.waitUntilFollowing(user) }
                guard !Task.isCancelled else { return }
                logger.info("observing", ["users": users.joined(separator: ",")])
            }
            await stop.wait()
            announcement.cancel()
            await open?.drain(grace: Self.drainTime)
            // The printer is held weakly by the service: it has to live until here.
            for user in users { service.removeObserver(printer, for: user) }
            await printer.finish(within: .seconds(1))
            logger.info("stopped")
            if let refusal { throw CommandError(refusal.description, exitCode: .config) }
            return .ok
        }
    }

    /// Loads the function library; an error is logged once, and the load retried.
    ///
    /// - Returns: why this worker cannot load it, where an operator must; nil once it is there.
    @LoopActor
    private func prepare(_ repository: RedisTodoRepository, _ log: ConnectionLog) async -> TodoError? {
        while !Task.isCancelled {
            do throws(TodoError) {
                try await repository.prepare()
                log.isPrepared = true
                logger.info("ready")
                return nil
            } catch {
                log.note(error)
                if FunctionLibrary.isForOthersToLoad(after: error) { return error }
                await LoopTimer.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    /// Serves HTTP.
    @LoopActor
    private func openGateway(
        _ configuration: GatewayConfiguration,
        _ repository: RedisTodoRepository,
        _ container: DIContainer,
        _ metrics: Metrics,
        _ connection: ConnectionLog
    ) throws -> Gateway {
        // Over the worker's own connections: no worker is special, and nothing is left behind in Redis.
        let loads = gateway.keepsStreams ? nil : SharedSubject<WorkerLoad>("workers", over: repository)
        let writes = WriteWatch(repository, logger)
        let readiness = WorkerReadiness(repository, connection, writes)
        let gateway = Gateway(
            configuration,
            stores: repository.stores,
            container: container,
            metrics: metrics,
            loads: loads,
            signIns: SharedSubject<SignInOutcome>("workers", over: repository),
            joins: SharedSubject<JoinOutcome>("workers", over: repository),
            budgets: SharedSubject<SpentBudgets>("workers", over: repository),
            announcements: SharedSubject<AnnouncementNews>("workers", over: repository),
            reports: SharedSubject<WorkerReportMessage>("workers", over: repository),
            log: logger,
            silence: { [weak repository] in await repository?.silence(within: ReadinessProbe.limit) },
            writeRefusal: { writes.refusal?.reason },
            limitation: { readiness.limitation },
            readiness: { await readiness.objection() }
        )
        let port = try gateway.listen()
        logger.info("listening", ["host": configuration.host, "port": String(port)])
        return gateway
    }
}
