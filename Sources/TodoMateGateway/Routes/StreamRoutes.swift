import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Opens the event streams of users' changes, and keeps them alive.
@LoopActor
final class StreamRoutes {
    private let repository: any TodoRepositoryType
    private let service: any TodoRealtimeServiceType
    private let authenticator: Authenticator
    private let configuration: GatewayConfiguration
    private let log: Logger
    private let metrics: Metrics
    private let frames = FrameCache()
    private var streams: [ObjectIdentifier: (stream: EventStream, observer: TodoStream, expiry: Date?)] = [:]
    private var countByUser: [String: Int] = [:]
    private var heartbeat: LoopTimer?
    private var expiryCheck: LoopTimer?

    init(
        _ repository: any TodoRepositoryType,
        _ service: any TodoRealtimeServiceType,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration,
        _ metrics: Metrics,
        _ log: Logger
    ) {
        self.metrics = metrics
        self.repository = repository
        self.service = service
        self.authenticator = authenticator
        self.configuration = configuration
        self.log = log
    }

    func add(to router: HTTPRouter) {
        router.onProblem(.get, "/v1/users/{uid}/changes", follow)
        // An event, not a comment: a page is not told of comments, and could not tell silence from a dead connection.
        let beat = EventFrame.event("heartbeat", data: "{}".utf8)
        heartbeat = LoopTimer(every: configuration.heartbeat) { [weak self] in
            for entry in self?.streams.values.map(\.stream) ?? [] { entry.send(beat) }
        }
        expiryCheck = LoopTimer(every: .seconds(1)) { [weak self] in self?.endExpired() }
    }

    func stop() {
        heartbeat?.cancel()
        expiryCheck?.cancel()
    }

    private func follow(_ request: HTTPRequest, _ path: PathParameters) async throws(Problem) -> HTTPReply {
        let uid = path["uid"]
        let principal = try authenticator.authorize(request, for: uid)
        let days = try DayQuery.days(request)
        if let accept = request.headers["accept"], !accept.contains("text/event-stream"), !accept.contains("*/*") {
            throw Problem(.notAcceptable, "this path answers with text/event-stream")
        }
        guard countByUser[uid, default: 0] < configuration.streamsPerUser else {
            throw Problem(.busy, "\(uid) has \(configuration.streamsPerUser) streams open: close some first")
        }
        // An id that is none is as good as none: the reader gets a snapshot, never a silence.
        let last =
            request.headers["last-event-id"].flatMap { ChangeID($0) } ?? request.query("since").flatMap { ChangeID($0) }
        return .stream(headers: [:]) { [self] stream in open(stream, uid, days, last, principal.expiry) }
    }

    private func open(
        _ stream: EventStream,
        _ uid: String,
        _ days: ClosedRange<CalendarDate>?,
        _ last: ChangeID?,
        _ expiry: Date?
    ) {
        let observer = TodoStream(
            uid: uid,
            days: days,
            stream: stream,
            repository: repository,
            service: service,
            frames: frames,
            log: log
        )
        let key = ObjectIdentifier(stream)
        streams[key] = (stream, observer, expiry)
        countByUser[uid, default: 0] += 1
        stream.onEnd = { [weak self] ending in
            observer.close()
            self?.forget(key, uid, ending)
        }
        observer.open(after: last)
    }

    private func forget(_ key: ObjectIdentifier, _ uid: String, _ ending: EventStream.Ending) {
        streams[key] = nil
        metrics.streamEnded(ending)
        countByUser[uid] = countByUser[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
        if ending == .readerTooSlow { log.info("stream closed: its reader does not keep up", ["uid": uid]) }
    }

    private func endExpired() {
        let now = Date()
        for entry in streams.values where entry.expiry.map({ $0 <= now }) ?? false { entry.stream.close() }
    }
}
