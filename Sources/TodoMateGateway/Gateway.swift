public import EventLoop
import Foundation
import HTTPServing
public import TodoMate

/// An HTTP server: the board, todos, event streams, sessions, health and metrics.
///
///     var configuration = GatewayConfiguration()
///     configuration.port = 0
///     let gateway = Gateway(configuration, stores: InMemoryTodoRepository().stores)
///     let port = try gateway.listen()
///
/// Every gateway over the same stores serves the same todos.
@LoopActor
public final class Gateway {
    /// The services of the gateway, for observers and writers in this process.
    public let container: DIContainer
    private let configuration: GatewayConfiguration
    private let server: HTTPServer
    private let streams: StreamRoutes
    private let balancer: StreamBalancer?
    private let signIns: SharedSignInBudgets?
    private let joins: SharedJoinBudgets
    private let sharedBudgets: SharedUserBudgets?
    private let sessions: SessionWatch?
    private let uses: SessionUses?
    private let check: PasswordCheck?
    private let announcement: SharedAnnouncement
    private let reports: WorkerReports
    private let deletions: DeletionSweep
    let mailing: Mailing?
    private let log: Logger
    private var isDraining = false
    private let started = Int(Date().timeIntervalSince1970)
    private let place = ListeningPlace()
    let router = HTTPRouter()

    /// A gateway that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: the address, who is let in, and the limits of each user.
    ///   - stores: where todos and accounts are stored, such as `RedisTodoRepository.stores`.
    ///   - log: receives one line per request, and what an operator should know.
    ///   - readiness: why the gateway cannot serve at the moment, for `/readyz`; nil when it can.
    public convenience init(
        _ configuration: GatewayConfiguration,
        stores: Stores,
        log: Logger = Logger(),
        readiness: @escaping @LoopActor () async -> String? = { nil }
    ) {
        let metrics = Metrics(log)
        let container = DIContainer(repository: stores.todos, monitor: metrics)
        self.init(
            configuration,
            stores: stores,
            container: container,
            metrics: metrics,
            log: log,
            readiness: readiness
        )
    }

    /// - Parameters:
    ///   - metrics: what is counted; also the monitor of the container's realtime service.
    ///   - loads: where workers announce their number of streams; nil leaves streams where they are.
    ///   - signIns: where workers announce the results of password checks; nil lets each count its own.
    ///   - joins: where workers announce new accounts and what was tried in vain; nil lets each count its own.
    ///   - budgets: where workers announce what users have spent of their budgets; nil lets each count its own.
    ///   - announcements: where workers tell each other that something is announced; nil lets each look now and then.
    ///   - reports: where workers ask each other how they are, for operators; nil shows them this one alone.
    ///   - silence: whose changes do not come at the moment, as what holds them does not answer; nil where that cannot be.
    ///   - writeRefusal: why Redis refuses writes at the moment, as far as is known; nil when it does not.
    ///   - limitation: what could not be served when `readiness` was last asked, although the worker is ready; nil for nothing.
    ///   - readiness: why the worker cannot serve; nil when it can.
    package init(
        _ configuration: GatewayConfiguration,
        stores: Stores,
        container: DIContainer,
        metrics: Metrics,
        loads: (any SharedSubjectType<WorkerLoad>)? = nil,
        signIns: (any SharedSubjectType<SignInOutcome>)? = nil,
        joins: (any SharedSubjectType<JoinOutcome>)? = nil,
        budgets: (any SharedSubjectType<SpentBudgets>)? = nil,
        announcements: (any SharedSubjectType<AnnouncementNews>)? = nil,
        reports: (any SharedSubjectType<WorkerReportMessage>)? = nil,
        log: Logger,
        silence: (@LoopActor () async -> Silence?)? = nil,
        writeRefusal: @escaping @LoopActor () -> String? = { nil },
        limitation: @escaping @LoopActor () -> String? = { nil },
        readiness: @escaping @LoopActor () async -> String?
    ) {
        self.configuration = configuration
        self.container = container
        self.log = log
        let open = OpenStreams()
        let watch =
            configuration.signer == nil
            ? nil : SessionWatch(stores.sessions, open, container.todoRealtimeService, log)
        self.sessions = watch
        stores.relations.isForAccountsAlone = configuration.signer != nil
        let proxies = configuration.trustedProxies
        let userBudgets = UserBudgets(writesPerSecond: configuration.writesPerSecond)
        sharedBudgets = configuration.writesPerSecond.map { _ in SharedUserBudgets(userBudgets, budgets, log) }
        let uses = configuration.signer.map { _ in SessionUses(stores.sessions, open, log) }
        self.uses = uses
        let authenticator = Authenticator(
            signer: configuration.signer,
            allowedOrigins: configuration.allowedOrigins,
            sessions: watch,
            cookie: SessionCookie(proxies: proxies, isAlwaysSecure: configuration.isBehindTLS),
            budgets: userBudgets,
            uses: uses
        )
        server = HTTPServer(router, limits: configuration.limits)
        let sharing = SharingService(stores, container.todoRealtimeService, log)
        streams = StreamRoutes(
            StreamContext(sharing, open),
            authenticator,
            configuration,
            metrics,
            silence: silence,
            log
        )
        streams.add(to: router)
        balancer = loads.map { [streams] in
            StreamBalancer($0, streams, interval: configuration.announcementInterval, log)
        }
        self.signIns = configuration.signer.map { SharedSignInBudgets($0, signIns, log) }
        self.joins = SharedJoinBudgets(stores.mails, joins, proxies, log)
        let announcement = SharedAnnouncement(stores.announcements, open, announcements, log)
        self.announcement = announcement
        streams.greeting = { [weak announcement] in announcement?.greeting }
        self.reports = WorkerReports(reports, log) {
            [weak server, place, started, host = configuration.host, service = container.todoRealtimeService] worker in
            let (counts, connection) = (metrics.counts, metrics.connection)
            return WorkerReport(
                worker: worker,
                listen: "\(host):\(place.port)",
                pid: Int(getpid()),
                version: Release.version,
                started: started,
                streams: server?.streamCount ?? 0,
                connections: server?.connectionCount ?? 0,
                users: service.observedUsers.count,
                memory: ProcessFigures.memory ?? 0,
                requests: counts.requests,
                refused: counts.refused,
                streamsEnded: counts.streamsEnded,
                dropped: counts.dropped,
                isConnected: connection.isConnected,
                writeRefusal: writeRefusal(),
                unsettled: connection.unsettled
            )
        }
        let todos = TodoRoutes(stores, authenticator)
        todos.add(to: router)
        NoteRoutes(stores, todos, authenticator).add(to: router)
        let long = LongAnswers()
        RelationRoutes(stores.relations, authenticator, long, log).add(to: router)
        ProfileRoutes(stores, authenticator, log).add(to: router)
        PeopleRoutes(stores, authenticator).add(to: router)
        FeedRoutes(stores, authenticator, long).add(to: router)
        HistoryRoutes(stores, authenticator, long).add(to: router)
        GoalRoutes(stores, authenticator).add(to: router)
        SearchRoutes(stores, authenticator, long).add(to: router)
        RoutineRoutes(stores, authenticator).add(to: router)
        ReactionRoutes(stores, authenticator, long).add(to: router)
        let answer = SignInAnswer(authenticator.cookie, configuration)
        let factor = configuration.signer.map { SecondFactor(stores.factors, $0, log) }
        var check: PasswordCheck?
        if let signIns = self.signIns, let factor {
            check = PasswordCheck(stores, PasswordHasher(), signIns, factor, log)
        }
        self.check = check
        let signIn = SignIn(stores, check, authenticator.signer, answer)
        let providers = Providers(configuration, authenticator.cookie)
        if let door = ProviderDoor(providers, stores, signIn, self.joins, authenticator, log) {
            door.providers.prepare()
            ProviderRoutes(door).add(to: router)
            ArrivalRoutes(door).add(to: router)
            IdentityRoutes(door).add(to: router)
        } else {
            Providers.refuse(ProviderRoutes.routes + ArrivalRoutes.routes + IdentityRoutes.routes, on: router)
        }
        mailing = Mailing(configuration, stores, metrics, log)
        MailRoutes(stores.mails, mailing, signIn, self.joins, authenticator, log).add(to: router)
        SessionRoutes(stores, signIn, providers, authenticator, configuration, log) { [weak announcement] in
            announcement?.current
        }
        .add(to: router)
        OperatorRoutes(stores, authenticator, self.reports, log).add(to: router)
        AnnouncementRoutes(announcement, OperatorAccess(authenticator, stores.operators), log).add(to: router)
        InvitationRoutes(stores, authenticator, configuration, log).add(to: router)
        AccountRoutes(stores, signIn, self.joins, authenticator, configuration.registration, log).add(to: router)
        PasswordResetRoutes(stores, signIn, self.joins, authenticator, log).add(to: router)
        SignedInRoutes(stores.sessions, authenticator, log).add(to: router)
        TokenRoutes(stores.sessions, authenticator, behind: configuration.trustedProxies, log).add(to: router)
        EventRoutes(stores.sessions, authenticator).add(to: router)
        LimitRoutes(stores, authenticator, open, configuration).add(to: router)
        PasswordRoutes(stores.sessions, signIn, authenticator, log).add(to: router)
        FactorRoutes(signIn, authenticator).add(to: router)
        deletions = DeletionSweep(stores.deletions, log)
        DeletionRoutes(stores.deletions, deletions, signIn, authenticator, grace: configuration.deletionGrace, log)
            .add(to: router)
        ArchiveRoutes(stores, authenticator, log).add(to: router)
        HealthRoutes(
            readiness: { [weak self] in
                // Clients with an open connection have to send further requests elsewhere.
                self?.isDraining == true ? "the worker is stopping" : await readiness()
            },
            writeRefusal: writeRefusal,
            limitation: limitation
        ).add(to: router)
        WebRoutes.add(WebAsset.all + [WebAsset("/openapi.json", PackageResources.openapi_json)], to: router)
        router.on(.get, "/metrics") { _, _ in
            let headers: HTTPHeaders = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"]
            return .response(HTTPResponse(status: 200, headers: headers, body: Array(metrics.text().utf8)))
        }
        server.problem = { fault in
            let problem = Problem(fault)
            metrics.refused(problem.kind)
            return problem.response
        }
        server.onError = { error in
            if let problem = error as? Problem { metrics.refused(problem.kind) }
            if let error = error as? TodoError { metrics.refused(Problem(error).kind) }
        }
        server.everywhere = SecurityHeaders.everywhere
        server.adapt = { OperationRule.handler(of: $0, RequestDevice.handler(of: $0, $1)) }
        if !configuration.allowedOrigins.isEmpty {
            server.decorate = { [allowed = configuration.allowedOrigins] request, headers in
                SecurityHeaders.open(&headers, for: request, to: allowed)
            }
        }
        server.onAnswer = { [log, proxies = configuration.trustedProxies] request, status, bytes, took in
            metrics.answered(status)
            // Health checks come every few seconds, and matter only when they fail.
            let isProbe = ["/healthz", "/readyz", "/metrics"].contains(request.path) && status < 400
            // The path without the query, which may hold private data.
            log.log(
                isProbe ? .debug : .info,
                "request",
                [
                    "method": request.method.rawValue, "path": request.path, "status": String(status),
                    "bytes": String(bytes), "us": String(Int(took / .microseconds(1))),
                    "from": proxies.client(of: request),
                ]
            )
        }
        metrics.addGauges(of: server, container.todoRealtimeService, balancer, writeRefusal)
    }

    /// Starts to serve.
    ///
    /// - Returns: the port.
    /// - Throws: ``GatewayError`` when the configuration would let anyone in, or the address cannot be listened on.
    public func listen() throws(GatewayError) -> Int {
        if let objection = configuration.objection { throw .unprotected(objection) }
        let port: Int
        do throws(HTTPServerError) {
            port = try server.listen(host: configuration.host, port: configuration.port)
        } catch {
            throw .unavailable(error.description)
        }
        place.port = port
        balancer?.start()
        announcement.start()
        reports.start()
        deletions.start()
        signIns?.start()
        if configuration.signer != nil { joins.start() }
        sharedBudgets?.start()
        if configuration.signer == nil {
            log.warning(
                "no secret is set: anyone on this machine may act as any user",
                ["listen": configuration.host]
            )
        }
        return port
    }

    /// Stops listening, has the streams' readers reconnect elsewhere, and finishes the requests in progress.
    ///
    /// - Parameter grace: how long to wait for them.
    public func drain(grace: Duration) async {
        isDraining = true
        server.stopListening()
        balancer?.stop()
        signIns?.stop()
        joins.stop()
        sharedBudgets?.stop()
        announcement.stop()
        reports.stop()
        streams.stop()
        sessions?.stop()
        uses?.stop()
        check?.stop()
        deletions.stop()
        for stream in server.openStreams { stream.sendAway() }
        let deadline = ContinuousClock.now + grace
        while server.busyCount > 0 || balancer?.isLeaving == true || mailing?.isSending == true,
            ContinuousClock.now < deadline
        {
            await LoopTimer.sleep(for: .milliseconds(20))
        }
        mailing?.stop()
        server.close()
    }
}
