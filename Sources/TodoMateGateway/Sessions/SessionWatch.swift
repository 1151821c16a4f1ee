import EventLoop
import HTTPServing
import TodoMate

/// Knows which sessions of the users of this worker are live, and ends streams whose session has ended.
///
/// What was read of a user is believed for half a second, and as long as ``heardTrust`` where it was read while the user's
/// channel was followed, on which every end is announced. A check meanwhile costs a lookup; checks at the same time
/// shares one question. Streams are looked at again every few seconds besides, in one question for many users.
@LoopActor
final class SessionWatch: SessionObserver {
    /// How long a read is trusted when no channel announces its end.
    static let trust = Duration.milliseconds(500)
    /// How long it is believed where the user's channel says so.
    static let heardTrust = Duration.seconds(5)
    /// How often streams are looked at that were opened, or not followed, since the last time.
    private static let interval = Duration.milliseconds(500)
    /// No answer comes later than this.
    private static let longestQuestion = Duration.seconds(60)
    private static let mostUsers = 50_000
    private static let mostEnded = 100
    /// The most users in one read.
    private static let batch = 500

    private typealias Answer = Result<Void, TodoError>

    /// What is known of a user, and who wants to know more.
    private final class Known {
        /// Nil when it must be read.
        var live: LiveSessions?
        /// When it was read: an end before that is known.
        var asked: ContinuousClock.Instant
        var trusted: ContinuousClock.Instant
        /// Sessions that were checked and are not live; only those, as a new one may not be known yet.
        var ended: Set<String> = []
        /// When news of the user came: answers to older questions do not know them.
        var newsAt: ContinuousClock.Instant?
        /// Questions that are on their way, or about to be.
        var questions = 0
        /// Those that wait for the next read; nil while none does.
        var waiting: [LoopContinuation<Answer>]?

        init(at now: ContinuousClock.Instant) { (asked, trusted) = (now, now) }

        /// Whether a session is live; nil when that must be read.
        func verdict(on token: SessionToken, at moment: ContinuousClock.Instant) -> Bool? {
            guard let live, moment < trusted else { return nil }
            if live.has(token.id, of: token.generation) { return true }
            return ended.contains(token.id) ? false : nil
        }

        func forget() {
            live = nil
            newsAt = .now
        }
    }

    private let store: any SessionStoreType
    private let streams: OpenStreams
    private let service: any TodoRealtimeServiceType
    private let log: Logger
    /// Whether any account that was read here is to be deleted, or limited by an operator: most servers have none, and every request
    /// would look it up.
    private var (hasLeaving, hasLimited) = (false, false)
    private var users: [String: Known] = [:]
    /// The users of the next read: all those of one turn.
    private var asking: [(uid: String, known: Known)] = []
    /// Users with streams whose sessions have not been read since their channel is followed.
    private var unheard: Set<String> = []
    /// Users with streams who are still to be looked at in this round.
    private var unchecked: [String] = []
    private var timer: LoopTimer?

    init(
        _ store: any SessionStoreType,
        _ streams: OpenStreams,
        _ service: any TodoRealtimeServiceType,
        _ log: Logger
    ) {
        self.store = store
        self.streams = streams
        self.service = service
        self.log = log
        service.sessionObserver = self
        timer = LoopTimer(every: Self.interval) { [weak self] in self?.recheck() }
    }

    func stop() { timer?.cancel() }

    // MARK: Requests

    /// Whether the session of a token is live; nil when that must be read.
    func verdict(on token: SessionToken, at now: ContinuousClock.Instant) -> Bool? {
        users[token.uid]?.verdict(on: token, at: now)
    }

    /// How many todos a user may write in a minute, as far as it was read; nil for what the server allows each.
    func writesMost(of uid: String) -> Int? { hasLimited ? users[uid]?.live?.writesMost : nil }

    /// Whether an account is to be deleted, as far as is known of its sessions.
    func isLeaving(_ uid: String) -> Bool { hasLeaving && users[uid]?.live?.isLeaving == true }

    /// Whether the session of a token is live; reads it unless it is known.
    ///
    /// - Parameter start: the time of the call.
    /// - Throws: `TodoError.unavailable` when Redis cannot be reached, which is neither yes nor no.
    func isLive(_ token: SessionToken, at start: ContinuousClock.Instant = .now) async throws(TodoError) -> Bool {
        let known = known(token.uid, at: start)
        var now = start
        while true {
            if let verdict = known.verdict(on: token, at: now) { return verdict }
            if let live = known.live, known.asked >= start {
                if live.has(token.id, of: token.generation) { return true }
                if known.ended.count >= Self.mostEnded { known.ended = [] }
                known.ended.insert(token.id)
                return false
            }
            try await read(token.uid, known)
            now = .now
        }
    }

    /// This worker itself has ended a session: its user's channel need not be open here.
    func ended(_ token: SessionToken) {
        users[token.uid]?.forget()
        closeStreams(of: token.uid) { $0.id == token.id }
    }

    /// This worker itself has ended sessions of a user: one, or all but one.
    func ended(of uid: String, where isOver: (String) -> Bool) {
        users[uid]?.forget()
        closeStreams(of: uid) { isOver($0.id) }
    }

    /// This worker itself has begun a session of a new generation, which has ended all others.
    func began(_ token: SessionToken) {
        users[token.uid]?.forget()
        closeStreams(of: token.uid) { $0.generation != token.generation }
    }

    /// What is known of a user whose sessions are to be read.
    private func asked(_ uid: String, at now: ContinuousClock.Instant) -> (uid: String, known: Known) {
        let known = known(uid, at: now)
        known.questions += 1
        return (uid, known)
    }

    private func known(_ uid: String, at now: ContinuousClock.Instant) -> Known {
        if let known = users[uid] { return known }
        // Questions on their way stay: what is announced meanwhile has to reach them.
        if users.count >= Self.mostUsers { users = users.filter { $0.value.questions > 0 } }
        let known = Known(at: now)
        users[uid] = known
        return known
    }

    private func read(_ uid: String, _ known: Known) async throws(TodoError) {
        if known.waiting == nil {
            known.waiting = []
            known.questions += 1
            asking.append((uid, known))
            // The others of this turn come along: many who open their streams at once cost one question.
            if asking.count == 1 { Task { await ask() } }
        }
        try await LoopActor.suspend { known.waiting?.append($0) }.get()
    }

    private func ask() async {
        let asked = Array(asking.prefix(Self.batch))
        asking.removeFirst(asked.count)
        if !asking.isEmpty { Task { await ask() } }
        await readAll(asked) { known, answer in
            let waiting = known.waiting ?? []
            known.waiting = nil
            for continuation in waiting { continuation.resume(returning: answer) }
        }
    }

    /// Reads which sessions of some users are live, and ends the streams of the others.
    ///
    /// - Parameter onAnswer: is called for each of the users as soon as it is known, or is known that it cannot be.
    private func readAll(
        _ users: [(uid: String, known: Known)],
        onAnswer: @escaping @LoopActor (Known, Answer) -> Void = { _, _ in }
    ) async {
        let asked = ContinuousClock.now
        let heard = users.map { service.isFollowing($0.uid) }
        await store.readLive(of: users.map(\.uid)) { [self] index, result in
            let (uid, known) = users[index]
            known.questions -= 1
            switch result {
            case .success(let live):
                learn(live, of: uid, known, since: asked, wasHeard: heard[index])
                onAnswer(known, .success(()))
            // Streams stay when Redis cannot be reached: nothing is delivered from it either.
            case .failure(let error): onAnswer(known, .failure(error))
            }
        }
    }

    private func learn(
        _ live: LiveSessions,
        of uid: String,
        _ known: Known,
        since asked: ContinuousClock.Instant,
        wasHeard: Bool
    ) {
        if known.live != nil, known.asked > asked { return }
        if let news = known.newsAt, news >= asked { return }
        // Users whose channel was lost meanwhile may have missed something.
        let isHeard = wasHeard && service.isFollowing(uid)
        known.live = live
        if live.isLeaving { hasLeaving = true }
        if live.writesMost != nil { hasLimited = true }
        known.ended = []
        known.asked = asked
        known.trusted = asked + (isHeard ? Self.heardTrust : Self.trust)
        if isHeard { unheard.remove(uid) }
        closeStreams(of: uid) { live.isLeaving || !live.has($0.id, of: $0.generation) }
    }

    // MARK: Streams

    /// Looks after a stream that was opened with this token, until it is closed.
    func watch(_ token: SessionToken) {
        // What was read before the channel was followed says nothing about an end in between.
        if !isHeard(token) { unheard.insert(token.uid) }
    }

    private func isHeard(_ token: SessionToken) -> Bool {
        guard let known = users[token.uid], let live = known.live, live.has(token.id, of: token.generation) else {
            return false
        }
        return known.trusted - known.asked == Self.heardTrust
    }

    private func closeStreams(of uid: String, where isOver: (SessionToken) -> Bool) {
        for open in streams.streams(of: uid) {
            guard let token = open.token, isOver(token) else { continue }
            log.info("stream ended: its session has ended", ["uid": uid, "session": token.shortID])
            open.stream.closeNow()
        }
    }

    private func recheck() {
        if unchecked.isEmpty { unchecked = streams.users }
        // All of them within `heardTrust`, counted from the number that there is now.
        let share = streams.userCount / Int(Self.heardTrust / Self.interval) + 1
        unheard = unheard.filter { streams.hasStreams($0) }
        let users = unheard.union(unchecked.suffix(share).filter { streams.hasStreams($0) })
        unchecked.removeLast(min(share, unchecked.count))
        let now = ContinuousClock.now
        var rest = users.map { asked($0, at: now) }[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(part.count)
            Task { await readAll(part) }
        }
    }

    // MARK: SessionObserver

    func sessionsChanged(of uid: String, _ news: SessionNews) {
        let ended = Set(news.ended)
        users[uid]?.forget()
        closeStreams(of: uid) { $0.generation != news.generation || ended.contains($0.id) }
        if let begun = news.begun { tell(of: begun, by: news.maker, uid) }
    }

    /// Tells people who are signed in elsewhere of another sign-in or token; programs are not concerned, nor is who has made it.
    private func tell(of begun: String, by maker: String?, _ uid: String) {
        let frame = EventFrame.event("session", data: Array(JSONObject(["begun": begun]).text.utf8))
        for open in streams.streams(of: uid) where open.token?.scope == .account {
            guard let id = open.token?.id, id != begun, id != maker else { continue }
            open.beat(frame)
        }
    }

    func needsSessions(of uid: String) -> Bool { streams.hasStreams(uid) }

    func sessionsMissed(of uid: String) async -> Bool {
        guard streams.hasStreams(uid) else { return true }
        unheard.insert(uid)
        let reading = Reading()
        await readAll([asked(uid, at: .now)]) { if case .success = $1 { reading.hasSucceeded = true } }
        return reading.hasSucceeded
    }

    @LoopActor
    private final class Reading { var hasSucceeded = false }

    func sessionsUnheard(of uid: String) {
        if streams.hasStreams(uid) { unheard.insert(uid) }
        guard let known = users[uid] else { return }
        known.trusted = min(known.trusted, known.asked + Self.trust)
    }
}

extension SessionToken {
    /// As much of the id as distinguishes sessions in a log.
    var shortID: String { String(id.prefix(8)) }
}
