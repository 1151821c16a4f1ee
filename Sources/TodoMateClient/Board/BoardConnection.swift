import EventLoop
import Foundation
import TodoMate

/// The one event stream of a board: performs what ``BoardConnectionStateMachine`` decides.
@LoopActor
final class BoardConnection {
    private static let backoff = Backoff(base: .milliseconds(500), cap: .seconds(30))
    /// How long nothing is asked of a server that refuses; half of it is left to chance.
    private static let longWait = Duration.seconds(120)

    private let server: Server
    private let viewer: String
    private let zone: TimeZone?
    private var machine: BoardConnectionStateMachine
    private var attempts = Attempts()
    private var reading: Task<Void, Never>?
    private var timer: LoopTimer?
    /// Before that the server wants no request.
    private var allowed = ContinuousClock.now
    private var silence: LoopTimer?
    private var patience: StreamPatience
    /// When this connection was begun.
    private var begun = ContinuousClock.now
    /// When something came by it last.
    private var heard = ContinuousClock.now
    private var parser = EventStreamParser()
    /// The answer that is no stream.
    private var refusal: ServerAnswer?
    /// How things stand.
    private(set) var status = ConnectionStatus.idle
    /// When the server is asked again; nil while that is not waited for.
    private(set) var nextAttempt: ContinuousClock.Instant?

    /// Takes an event; the reason why it does not fit what is known, or nil.
    var onEvent: (StreamEvent) -> String? = { _ in nil }
    /// Called when ``status`` has changed.
    var onStatus: (ConnectionStatus) -> Void = { _ in }

    /// - Parameters:
    ///   - server: where the board is.
    ///   - viewer: whose board it is.
    ///   - zone: where the viewer is, for the badges; nil for no badges.
    ///   - heartbeat: how often the server says that it is there, in whole seconds.
    ///   - cursor: the place that was reached by an earlier run.
    init(_ server: Server, viewer: String, zone: TimeZone?, heartbeat: Duration, after cursor: String?) {
        patience = StreamPatience(heartbeat: heartbeat)
        (self.server, self.viewer, self.zone) = (server, viewer, zone)
        machine = BoardConnectionStateMachine(after: cursor)
    }

    /// The place that was reached.
    var cursor: String? { machine.cursor }
    /// Whose changes come.
    var users: [String] { machine.users }

    func watch(_ users: [String]) { perform(machine.watch(users)) }
    /// Whether the server may be asked: it has not said that it wants no request yet.
    var mayAsk: Bool { ContinuousClock.now >= allowed }

    /// Waits no longer; a stream of which something should have come by now is begun anew.
    func hurry() { hurry(isStale: isStale) }

    /// As ``hurry()``; an open stream is begun anew in any case, as what it has said says nothing of now.
    func renew() { hurry(isStale: isStale || machine.state == .open) }

    private func hurry(isStale: Bool) {
        if mayAsk { perform(machine.hurry(isStale: isStale)) }
    }

    private var isStale: Bool { patience.isStale(after: .now - heard, hasHeard: machine.state == .open) }

    func credentialsChanged() {
        server.forgetToken()
        perform(machine.credentialsChanged())
    }

    func close() {
        perform(machine.close())
        timer?.cancel()
        silence?.cancel()
        (timer, silence, nextAttempt) = (nil, nil, nil)
    }

    private func perform(_ effects: [BoardConnectionStateMachine.Effect]) {
        var reported: ConnectionStatus?
        for effect in effects {
            switch effect {
            case .ask(let refused): ask(inPlaceOf: refused)
            case .connect(let users, let cursor, let token): connect(users, cursor, token)
            case .disconnect: disconnect()
            case .wait(let failure, let least):
                var generator = SystemRandomNumberGenerator()
                wait(for: max(least, Self.backoff.delay(afterFailure: failure, using: &generator)))
            case .waitLong(let least):
                wait(for: max(least, Self.longWait * Double.random(in: 0.5...1)))
            case .stopWaiting:
                timer?.stop()
                nextAttempt = nil
            case .report(let status): reported = status
            }
        }
        // Once all is done, so that whoever is told finds when the next attempt will be.
        guard let reported, reported != status else { return }
        status = reported
        onStatus(reported)
    }

    private func wait(for pause: Duration) {
        disconnect()
        allowed = .now + machine.notBefore
        timer = timer ?? LoopTimer { [weak self] in self?.waited() }
        timer?.start(after: pause)
        nextAttempt = .now + pause
    }

    private func waited() {
        nextAttempt = nil
        perform(machine.waited())
    }

    private func disconnect() {
        attempts.abandon()
        reading?.cancel()
        reading = nil
        silence?.stop()
    }

    private func noticeSilence() {
        patience.silent()
        perform(machine.silent())
    }

    private func ask(inPlaceOf refused: String?) {
        disconnect()
        let attempt = attempts.begin()
        Task {
            let token = refused == nil ? await server.currentToken() : await server.otherToken(than: refused)
            if attempts.isCurrent(attempt) { perform(machine.answered(token)) }
        }
    }

    private func connect(_ users: [String], _ cursor: String?, _ token: String?) {
        disconnect()
        let attempt = attempts.begin()
        let request = ServerRequest(
            .get,
            ["changes"],
            query: [
                ("users", users.joined(separator: ",")), ("zone", zone?.identifier),
                ("heartbeat", String(patience.heartbeat.components.seconds)), ("viewer", token == nil ? viewer : nil),
            ],
            fields: ["Accept": "text/event-stream", "Last-Event-ID": cursor]
        )
        silence = silence ?? LoopTimer { [weak self] in self?.noticeSilence() }
        silence?.start(after: patience.time(hasHeard: false))
        (begun, heard) = (.now, .now)
        (parser, refusal) = (EventStreamParser(), nil)
        reading = Task { [weak self, server] in
            do throws(ServerFailure) {
                // Its own silence is noticed first, and is the better reason.
                for await part in try server.parts(of: request, token, patience: StreamPatience.longest * 2) {
                    guard let self, attempts.isCurrent(attempt) else { return }
                    take(part, attempt)
                }
            } catch {
                if let self, attempts.isCurrent(attempt) { perform(machine.failed(error)) }
            }
        }
    }

    private func take(_ part: HTTPTransport.Part, _ attempt: Attempts.Attempt) {
        heard = .now
        switch part {
        case .head(let status, let fields):
            silence?.start(after: patience.time(hasHeard: false))
            if status != 200 { refusal = ServerAnswer(status: status, fields: fields, body: Data()) }
        case .body(let data):
            silence?.start(after: patience.time(hasHeard: true))
            guard refusal == nil else {
                refusal?.append(data)
                return
            }
            for event in parser.receive(data) where attempts.isCurrent(attempt) {
                if let doubt = onEvent(event) {
                    perform(machine.doubted(doubt))
                } else if attempts.isCurrent(attempt) {
                    // What was watched may have changed meanwhile.
                    let heartbeat = StreamHeartbeat(event)
                    if heartbeat != nil { patience.heard(at: .now - begun) }
                    perform(machine.received(cursor: event.id, retry: event.retry, heartbeat: heartbeat))
                }
            }
            if parser.isTooLong, attempts.isCurrent(attempt) { perform(machine.ended(EventStreamParser.tooLong)) }
        case .end(let reason):
            if let refusal {
                perform(machine.failed(ServerFailure(refusal)))
            } else {
                perform(machine.ended(reason ?? "the server has ended the stream"))
            }
        }
    }
}
