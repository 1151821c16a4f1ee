import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Opens the event streams of users' changes, and keeps them alive.
@LoopActor
final class StreamRoutes {
    private let authenticator: Authenticator
    private let configuration: GatewayConfiguration
    private let log: Logger
    private let metrics: Metrics
    private let frames = FrameCache()
    private let context: StreamContext
    private var heartbeat: LoopTimer?
    private var clock: LoopTimer?
    /// How often `clock` has ticked.
    private var second: UInt32 = 0
    private let pulse: StreamPulse

    /// What a stream is sent when it opens; nil for nothing.
    var greeting: (() -> [UInt8]?)?

    /// How often `growOlder` was called: an age that costs nothing to note.
    private var age: UInt32 = 0
    /// As many calls as make half a minute at the usual interval: a reader that was just sent here is not sent on.
    private static let settledAge: UInt32 = 30

    init(
        _ context: StreamContext,
        _ authenticator: Authenticator,
        _ configuration: GatewayConfiguration,
        _ metrics: Metrics,
        silence: (@LoopActor () async -> Silence?)? = nil,
        _ log: Logger
    ) {
        pulse = StreamPulse(context.streams, silence)
        self.metrics = metrics
        self.context = context
        self.authenticator = authenticator
        self.configuration = configuration
        self.log = log
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/changes", follow)
        router.on(.get, "/v1/changes", followBoard)
        heartbeat = LoopTimer(every: configuration.heartbeat) { [weak self] in
            guard let self else { return }
            for entry in context.streams.all where entry.beatEvery == nil { pulse.beat(entry) }
        }
        pulse.start()
        clock = LoopTimer(every: .seconds(1)) { [weak self] in
            self?.lookAtTheClock()
            self?.context.frames.forgetSnapshots()
            self?.context.streams.checkWaiting()
        }
    }

    func stop() {
        heartbeat?.cancel()
        clock?.cancel()
        pulse.stop()
    }

    /// How many streams are open.
    var count: Int { context.streams.count }

    /// Notes that some time has passed.
    func growOlder() { age &+= 1 }

    /// Sends away at most so many readers, chosen at random; those who have not been here for long, or do not keep up, stay.
    ///
    /// - Returns: how many.
    func letGo(_ most: Int) -> Int {
        var chosen = context.streams.all.filter { age &- $0.openedAt >= Self.settledAge && $0.stream.queuedBytes == 0 }
            .map(\.stream)
        let count = min(most, chosen.count)
        for index in 0..<count { chosen.swapAt(index, Int.random(in: index..<chosen.count)) }
        for stream in chosen.prefix(count) { stream.sendAway(as: .letGo) }
        return count
    }

    private func follow(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let (viewer, principal) = try await authenticator.viewer(request, of: uid)
        let days = try DayQuery.days(request, and: [HeartbeatQuery.name])
        let beatEvery = try HeartbeatQuery.seconds(request)
        try checkFormat(request)
        try await checkRoom(for: viewer)
        // An id that is none is as good as none: the reader gets a snapshot, never a silence.
        let places = [request.headers["last-event-id"], request.query("since")].compactMap(\.self)
        guard viewer == uid else {
            let place = places.lazy.compactMap { ViewerPlace($0) }.first
            return try await follow(uid, as: viewer, days, place, principal.token, beatEvery)
        }
        let last = places.lazy.compactMap { ChangeID($0) }.first
        return .stream { [self] stream in await open(stream, uid, days, last, principal.token, beatEvery) }
    }

    private func checkFormat(_ request: HTTPRequest) throws(Problem) {
        if let accept = request.headers["accept"], !accept.contains("text/event-stream"), !accept.contains("*/*") {
            throw Problem(.notAcceptable, "this path answers with text/event-stream")
        }
    }

    private func checkRoom(for viewer: String, following shares: Int = 1) async throws(Problem) {
        let load = context.streams.load(of: viewer)
        guard load.streams < configuration.streamsPerUser else {
            await authenticator.budgets?.beforeRefusing(viewer)
            throw Problem(.busy, "\(viewer) has \(configuration.streamsPerUser) streams open: close some first")
        }
        guard load.shares + shares <= configuration.sharesPerUser else {
            let most = configuration.sharesPerUser
            await authenticator.budgets?.beforeRefusing(viewer)
            throw Problem(
                .busy,
                "the streams of \(viewer) would follow more than \(most) users in all: close some first"
            )
        }
    }

    /// Follows another user, as far as the viewer has access.
    private func follow(
        _ owner: String,
        as viewer: String,
        _ days: ClosedRange<CalendarDate>?,
        _ place: ViewerPlace?,
        _ token: SessionToken?,
        _ beatEvery: UInt32?
    ) async throws -> HTTPReply {
        let access = try await context.sharing.stores.shared.access(of: viewer, to: owner)
        guard access != .none else { throw Problem.closed(owner) }
        // Others of the same person may have opened while this one waited for the answer.
        try await checkRoom(for: viewer)
        return .stream { [self] stream in
            let observer = ViewerStream(owner, viewer: viewer, days: days, stream: stream, context: context)
            add(stream, of: viewer, [owner], token, beatEvery, beat: { stream.send($0) }, close: { observer.close() })
            observer.open(after: place)
        }
    }

    /// Follows several users at once.
    private func followBoard(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (viewer, principal) = try await authenticator.viewer(request, of: nil)
        let days = try DayQuery.days(request, and: ["users", "zone", HeartbeatQuery.name])
        let beatEvery = try HeartbeatQuery.seconds(request)
        let users = try BoardQuery(request).users
        let zone = request.query("zone") == nil ? nil : try BoardQuery.zone(request)
        try checkFormat(request)
        try await checkRoom(for: viewer, following: users.count)
        let last = request.headers["last-event-id"] ?? request.query("since")
        return .stream { [self] stream in
            let board = BoardStream(users, viewer: viewer, days: days, zone: zone, stream: stream, context: context)
            add(
                stream,
                of: viewer,
                users,
                principal.token,
                beatEvery,
                beat: { board.beat($0) },
                turnDay: zone == nil ? nil : { board.turnDay() },
                hear: zone == nil ? nil : { board.hear($0) },
                close: { board.close() }
            )
            board.open(after: last)
            // A pair that was left half-way is repaired when one of the two comes back.
            do throws(TodoError) {
                try await context.sharing.stores.relations.settle(viewer)
            } catch {
                log.warning(
                    "relations not settled; trying again next time",
                    ["uid": viewer, "reason": error.description]
                )
            }
        }
    }

    private func open(
        _ stream: EventStream,
        _ uid: String,
        _ days: ClosedRange<CalendarDate>?,
        _ last: ChangeID?,
        _ token: SessionToken?,
        _ beatEvery: UInt32?
    ) async {
        let observer = TodoStream(
            uid: uid,
            days: days,
            stream: stream,
            context: context,
            frames: frames
        )
        add(stream, of: uid, [uid], token, beatEvery, beat: { stream.send($0) }, close: { observer.close() })
        await observer.open(after: last)
    }

    /// Keeps a stream until it ends.
    private func add(
        _ stream: EventStream,
        of viewer: String,
        _ owners: [String],
        _ token: SessionToken?,
        _ beatEvery: UInt32?,
        beat: @escaping ([UInt8]) -> Void,
        turnDay: (() -> Void)? = nil,
        hear: ((Silence?) -> Void)? = nil,
        close: @escaping () -> Void
    ) {
        let open = OpenStream(
            stream: stream,
            token: token,
            owners: owners,
            openedAt: age,
            beatEvery: beatEvery,
            beat: beat,
            turnDay: turnDay,
            hear: hear
        )
        context.streams.add(open, of: viewer)
        if let token { authenticator.sessions?.watch(token) }
        if let greeting = greeting?() { beat(greeting) }
        pulse.greet(open)
        stream.onEnd = { [weak self] ending in
            self?.forget(stream, viewer, ending)
            close()
        }
    }

    private func forget(_ stream: EventStream, _ uid: String, _ ending: EventStream.Ending) {
        context.streams.remove(stream, of: uid)
        metrics.streamEnded(ending)
        if ending == .readerTooSlow { log.info("stream closed: its reader does not keep up", ["uid": uid]) }
    }

    private func lookAtTheClock() {
        let now = Date()
        second &+= 1
        for entry in context.streams.all {
            if let expiry = entry.token?.expiry, expiry <= now {
                entry.stream.closeNow()
                continue
            }
            entry.turnDay?()
            // Not all of them in the same second.
            if let every = entry.beatEvery, (second &+ entry.openedAt) % every == 0 { pulse.beat(entry) }
        }
    }
}
