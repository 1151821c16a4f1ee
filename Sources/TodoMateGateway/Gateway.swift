public import EventLoop
import Foundation
import HTTPServing
public import TodoMate

/// What a worker offers people and programs: todos, event streams, sessions, health and metrics over HTTP.
@LoopActor
public final class Gateway {
    private let configuration: GatewayConfiguration
    private let server: HTTPServer
    private let streams: StreamRoutes
    private let balancer: StreamBalancer?
    private let signIns: SharedSignInBudgets?
    private let sessions: SessionWatch?
    private let log: Logger
    private var isDraining = false
    let router = HTTPRouter()

    /// A gateway that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: who may come in, and how much they may ask for.
    ///   - stores: all that is stored.
    ///   - container: the services over them.
    ///   - metrics: what is counted; the realtime service's monitor as well.
    ///   - loads: where workers announce how many streams they have; nil leaves streams where they are.
    ///   - signIns: where workers announce what became of passwords; nil has each count its own.
    ///   - log: where it says what it does.
    ///   - writeRefusal: why Redis refuses writes at the moment, as far as is known; nil when it does not.
    ///   - readiness: why the worker cannot serve at the moment; nil when it can.
    public init(
        _ configuration: GatewayConfiguration,
        stores: Stores,
        container: DIContainer,
        metrics: Metrics,
        loads: (any SharedSubjectType<WorkerLoad>)? = nil,
        signIns: (any SharedSubjectType<SignInOutcome>)? = nil,
        log: Logger,
        writeRefusal: @escaping @LoopActor () -> String? = { nil },
        readiness: @escaping @LoopActor () async -> String?
    ) {
        self.configuration = configuration
        self.log = log
        let open = OpenStreams()
        let watch =
            configuration.signer == nil
            ? nil : SessionWatch(stores.sessions, open, container.todoRealtimeService, log)
        self.sessions = watch
        stores.relations.isForAccountsAlone = configuration.signer != nil
        let proxies = configuration.trustedProxies
        let authenticator = Authenticator(
            signer: configuration.signer,
            allowedOrigins: configuration.allowedOrigins,
            sessions: watch,
            cookie: SessionCookie(proxies: proxies, isAlwaysSecure: configuration.isBehindTLS),
            budgets: configuration.writesPerSecond.map { UserBudgets(writesPerSecond: $0) }
        )
        server = HTTPServer(router, limits: configuration.limits)
        let sharing = SharingService(stores, container.todoRealtimeService, log)
        streams = StreamRoutes(StreamContext(sharing, open), authenticator, configuration, metrics, log)
        streams.add(to: router)
        balancer = loads.map { [streams] in
            StreamBalancer($0, streams, interval: configuration.announcementInterval, log)
        }
        self.signIns = configuration.signer.map { SharedSignInBudgets($0, signIns, log) }
        TodoRoutes(stores, authenticator).add(to: router)
        let long = LongAnswers()
        RelationRoutes(stores.relations, authenticator, long, log).add(to: router)
        ProfileRoutes(stores, authenticator, log).add(to: router)
        FeedRoutes(stores, authenticator, long).add(to: router)
        ReactionRoutes(stores.feeds, authenticator, long).add(to: router)
        SessionRoutes(stores, PasswordHasher(), self.signIns, authenticator, configuration, log).add(to: router)
        HealthRoutes(
            readiness: { [weak self] in
                // Who asks on a connection from before has to send its requests elsewhere from now on.
                self?.isDraining == true ? "the worker is stopping" : await readiness()
            },
            writeRefusal: writeRefusal
        ).add(to: router)
        WebRoutes.add(WebAsset.all + [WebAsset("/openapi.json", PackageResources.openapi_json)], to: router)
        router.on(.get, "/metrics") { _, _ in
            let headers: HTTPHeaders = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"]
            return .response(HTTPResponse(status: 200, headers: headers, body: Array(metrics.text().utf8)))
        }
        server.problem = { Problem($0).response }
        server.decorate = { [allowed = configuration.allowedOrigins] request, headers in
            SecurityHeaders.add(to: &headers, for: request, allowedOrigins: allowed)
        }
        server.onAnswer = { [log, proxies = configuration.trustedProxies] request, status, bytes, took in
            metrics.answered(status)
            // Health checks ask every few seconds, and say nothing while all is well.
            let isProbe = ["/healthz", "/readyz", "/metrics"].contains(request.path) && status < 400
            // The path without the query: a query may hold what is nobody's business.
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
        metrics.gauge("todomate_users_subscribed", "Users whose channels this worker is subscribed to.") {
            container.todoRealtimeService.observedUsers.count
        }
        metrics.gauge("todomate_observers", "Observers of all users, event streams included.") {
            let service = container.todoRealtimeService
            return service.observedUsers.reduce(0) { $0 + service.observerCount(of: $1) }
        }
        metrics.gauge("todomate_streams_open", "Event streams that are open.") { [weak server] in
            server?.streamCount ?? 0
        }
        metrics.gauge("todomate_connections_open", "Connections that are open, idle ones included.") { [weak server] in
            server?.connectionCount ?? 0
        }
        metrics.gauge("todomate_requests_in_flight", "Requests being answered.") { [weak server] in
            server?.requestCount ?? 0
        }
        metrics.gauge("todomate_stream_queue_bytes", "Bytes that wait for streams' readers.") { [weak server] in
            server?.openStreams.reduce(0) { $0 + $1.queuedBytes } ?? 0
        }
        metrics.gauge("todomate_writes_refused", "Whether Redis refuses writes, for instance because it is full.") {
            writeRefusal() == nil ? 0 : 1
        }
        guard let balancer else { return }
        metrics.gauge("todomate_workers_heard", "Other workers that tell this one how many streams they have.") {
            [weak balancer] in balancer?.workersHeard ?? 0
        }
        metrics.gauge("todomate_streams_share", "Event streams that each of the workers would have were all alike.") {
            [weak balancer] in balancer?.share ?? 0
        }
    }

    /// Begins to serve.
    ///
    /// - Returns: the port.
    /// - Throws: `HTTPServerError` when the address cannot be listened on.
    public func listen() throws -> Int {
        let port = try server.listen(host: configuration.host, port: configuration.port)
        balancer?.start()
        signIns?.start()
        if configuration.signer == nil {
            log.warning(
                "no secret is set: everybody on this machine may act as anybody",
                ["listen": configuration.host]
            )
        }
        return port
    }

    /// Stops accepting, asks the streams' readers to come back elsewhere, and finishes what is under way.
    ///
    /// - Parameter grace: how long to wait for requests that are being answered.
    public func drain(grace: Duration) async {
        isDraining = true
        server.stopListening()
        balancer?.stop()
        signIns?.stop()
        streams.stop()
        sessions?.stop()
        for stream in server.openStreams { stream.sendAway() }
        let deadline = ContinuousClock.now + grace
        while server.busyCount > 0 || balancer?.isLeaving == true, ContinuousClock.now < deadline {
            await LoopTimer.sleep(for: .milliseconds(20))
        }
        server.close()
    }
}
