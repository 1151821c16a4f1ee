import EventLoop
import HTTPServing
import TodoMate

/// Gives people all that is stored of them, as a file that `todomate import` reads.
@LoopActor
final class ArchiveRoutes {
    /// As long as at other long answers, a person whose session has ended may go on reading.
    private static let checkInterval = Duration.milliseconds(250)

    private let stores: Stores
    private let authenticator: Authenticator
    private let log: Logger
    /// One at a time for each person; others do not wait for them.
    private let turns = FairTurns(parallel: .max, parallelOfOne: 1, most: .max, mostOfOne: 4)
    private let uploads = FairTurns(parallel: .max, parallelOfOne: 1, most: .max, mostOfOne: 4)

    init(_ stores: Stores, _ authenticator: Authenticator, _ log: Logger) {
        (self.stores, self.authenticator, self.log) = (stores, authenticator, log)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/archive", download)
        router.on(.post, "/v1/users/{uid}/archive", take)
    }

    /// Writes todos of an archive, once all lines are in order.
    private func take(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await authenticator.authorize(request, for: uid)
        try QueryNames.check(request, ["replace"], "use replace")
        guard [nil, "yes", "no"].contains(request.query("replace")) else {
            throw Problem(.invalid, "replace must be yes or no")
        }
        let lines = try ArchiveBody.lines(request, of: uid)
        guard let turn = await uploads.turn(for: uid) else { throw Self.tooMany(uid) }
        defer { withExtendedLifetime(turn) {} }
        // In turn: what the one before has written is counted by now, and many at once are no more than one after another.
        let principal = try await authenticator.authorize(request, for: uid, toWrite: .todo)
        let outcomes = try await stores.archives.write(lines, of: uid, replacing: request.query("replace") == "yes")
        // Each is a write like any other.
        authenticator.charge(principal, todos: outcomes.count(where: \.isWritten) - 1)
        return RelationRoutes.fresh(JSONObject(["lines": outcomes.map { RawJSON($0.json) }]).text)
    }

    private func download(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let principal = try await authenticator.authorize(request, for: uid, toWrite: .archive)
        try QueryNames.check(request, [], "this path takes no query")
        // Whether it can be read at all is to be known before the answer begins.
        _ = try await stores.todos.latestChangeID(of: uid)
        guard let turn = await turns.turn(for: uid) else { throw Self.tooMany(uid) }
        try await authenticator.check(principal)
        let headers: HTTPHeaders = [
            "Content-Type": "application/x-ndjson", "Cache-Control": "no-store",
            "Content-Disposition": "attachment; filename=\"todomate-\(uid).jsonl\"", "X-Accel-Buffering": "no",
        ]
        return .download(headers: headers) { [self] download in
            await send(uid, to: download, for: principal)
            withExtendedLifetime(turn) {}
        }
    }

    private static func tooMany(_ uid: String) -> Problem {
        Problem(
            .tooManyRequests,
            "\(uid) waits for too many archives at a time: let those end first",
            headers: ["Retry-After": "1"]
        )
    }

    private func send(_ uid: String, to download: Download, for principal: Authenticator.Principal) async {
        let check = LoopTimer(every: Self.checkInterval) { [authenticator] in
            Task {
                if await !authenticator.mayGoOn(principal) { download.cut() }
            }
        }
        defer { check.cancel() }
        do throws(TodoError) {
            try await stores.archives.read(of: uid) { await download.send($0) }
            await download.finish()
        } catch {
            // Without its end: the client knows that it is not whole.
            download.cut()
            log.warning("an archive was cut", ["uid": uid, "reason": error.description])
        }
    }
}
