import EventLoop
import TodoMate
import TodoMateRedis

/// Knows which sessions of the users who ask this worker go on, and ends open streams with theirs.
///
/// What was read of a user is believed for half a second, and as long as ``heardTrust`` where it was read while the user's
/// channel was followed, on which every end is announced. Who asks meanwhile costs a look-up; who asks at the same time
/// shares one question. Streams are looked at again every few seconds besides, in one question for many users.
@LoopActor
final class SessionWatch: SessionObserver {
    /// How long what was read is believed where nobody says when it is over.
    static let trust = Duration.milliseconds(500)
    /// How long it is believed where the user's channel says so.
    static let heardTrust = Duration.seconds(5)
    /// How often streams are looked at that were opened, or not followed, since the last time.
    private static let interval = Duration.milliseconds(500)
    /// No answer comes later than this.
    private static let longestQuestion = Duration.seconds(60)
    private static let mostUsers = 50_000
    private static let mostEnded = 100
    /// So many users are asked about at once.
    private static let batch = 500

    private struct Entry {
        var live: LiveSessions
        /// When it was asked for: an end before that is known.
        var asked: ContinuousClock.Instant
        var trusted: ContinuousClock.Instant
        /// Sessions that were asked about and are not among the live ones; only those, as a new one may be not known yet.
        var ended: Set<String> = []
    }

    private typealias Answer = Result<Void, TodoError>

    private struct Stream {
        let token: SessionToken
        let close: () -> Void
    }

    private let store: RedisSessionStore
    private let service: any TodoRealtimeServiceType
    private let log: Logger
    private var entries: [String: Entry] = [:]
    /// The users whom the next question is about: all those of one turn.
    private var asking: [String] = []
    /// Those who wait for the answer to a question that is on its way.
    private var waiting: [String: [UnsafeContinuation<Answer, Never>]] = [:]
    private var streams: [String: [ObjectIdentifier: Stream]] = [:]
    /// When news of a user came: answers to older questions do not know them.
    private var newsAt: [String: ContinuousClock.Instant] = [:]
    /// Users with streams of whom nothing was read since their channel is followed.
    private var unheard: Set<String> = []
    /// Users with streams who are still to be looked at in this round.
    private var unchecked: [String] = []
    private var timer: LoopTimer?

    init(_ store: RedisSessionStore, _ service: any TodoRealtimeServiceType, _ log: Logger) {
        self.store = store
        self.service = service
        self.log = log
        service.sessionObserver = self
        timer = LoopTimer(every: Self.interval) { [weak self] in self?.recheck() }
    }

    func stop() { timer?.cancel() }

    // MARK: Requests

    /// Whether the session of a token goes on; nil when that has to be asked for.
    func verdict(on token: SessionToken) -> Bool? {
        guard let entry = entries[token.uid], ContinuousClock.now < entry.trusted else { return nil }
        if entry.live.has(token.id, of: token.generation) { return true }
        return entry.ended.contains(token.id) ? false : nil
    }

    /// Whether the session of a token goes on, asked for unless it is known.
    ///
    /// - Throws: `TodoError.unavailable` when Redis cannot be asked: that is neither yes nor no.
    func isLive(_ token: SessionToken) async throws(TodoError) -> Bool {
        let start = ContinuousClock.now
        while true {
            if let verdict = verdict(on: token) { return verdict }
            if var entry = entries[token.uid], entry.asked >= start {
                if entry.live.has(token.id, of: token.generation) { return true }
                if entry.ended.count >= Self.mostEnded { entry.ended = [] }
                entry.ended.insert(token.id)
                entries[token.uid] = entry
                return false
            }
            try await read(token.uid)
        }
    }

    /// This worker itself has ended a session: its user's channel need not be open here.
    func ended(_ token: SessionToken) {
        forget(token.uid)
        closeStreams(of: token.uid) { $0.id == token.id }
    }

    /// What was read, or is on its way, is of before.
    private func forget(_ uid: String) {
        entries[uid] = nil
        newsAt[uid] = .now
    }

    private func read(_ uid: String) async throws(TodoError) {
        if waiting[uid] == nil {
            waiting[uid] = []
            asking.append(uid)
            // The others of this turn come along: many who open their streams at once cost one question.
            if asking.count == 1 { Task { await ask() } }
        }
        let answer = await LoopActor.suspend { (continuation: UnsafeContinuation<Answer, Never>) in
            // Decided anew: the answer may have come since.
            guard waiting[uid] != nil else { return continuation.resume(returning: .success(())) }
            waiting[uid]?.append(continuation)
        }
        try answer.get()
    }

    private func ask() async {
        let uids = Array(asking.prefix(Self.batch))
        asking.removeFirst(uids.count)
        if !asking.isEmpty { Task { await ask() } }
        let result: Answer
        do throws(TodoError) {
            try await readAll(uids)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for uid in uids {
            for continuation in waiting.removeValue(forKey: uid) ?? [] { continuation.resume(returning: result) }
        }
    }

    /// Reads which sessions of some users go on, and ends the streams of the others.
    private func readAll(_ uids: [String]) async throws(TodoError) {
        let asked = ContinuousClock.now
        let heard = uids.map { service.isFollowing($0) }
        let answers = try await store.live(of: uids)
        for (index, uid) in uids.enumerated() {
            if let entry = entries[uid], entry.asked > asked { continue }
            if let news = newsAt[uid], news >= asked { continue }
            // Whoever stopped to hear meanwhile may have missed something.
            let isHeard = heard[index] && service.isFollowing(uid)
            if entries.count >= Self.mostUsers { entries.removeAll() }
            let trust = isHeard ? Self.heardTrust : Self.trust
            entries[uid] = Entry(live: answers[index], asked: asked, trusted: asked + trust)
            if isHeard { unheard.remove(uid) }
            closeStreams(of: uid) { !answers[index].has($0.id, of: $0.generation) }
        }
    }

    // MARK: Streams

    /// Closes a stream when its session has ended, as long as it is watched.
    func watch(_ key: ObjectIdentifier, _ token: SessionToken, close: @escaping () -> Void) {
        streams[token.uid, default: [:]][key] = Stream(token: token, close: close)
        // What was read before the channel was followed says nothing about an end in between.
        if !isHeard(token) { unheard.insert(token.uid) }
    }

    func unwatch(_ key: ObjectIdentifier, of uid: String) {
        streams[uid]?[key] = nil
        guard streams[uid]?.isEmpty == true else { return }
        streams[uid] = nil
        unheard.remove(uid)
    }

    private func isHeard(_ token: SessionToken) -> Bool {
        guard let entry = entries[token.uid], entry.live.has(token.id, of: token.generation) else { return false }
        return entry.trusted - entry.asked == Self.heardTrust
    }

    private func closeStreams(of uid: String, where isOver: (SessionToken) -> Bool) {
        for stream in (streams[uid] ?? [:]).values where isOver(stream.token) {
            log.info("stream ended: its session has ended", ["uid": uid, "session": stream.token.shortID])
            stream.close()
        }
    }

    private func recheck() {
        let overdue = ContinuousClock.now - Self.longestQuestion
        newsAt = newsAt.filter { $0.value > overdue }
        if unchecked.isEmpty { unchecked = Array(streams.keys) }
        // All of them within `heardTrust`, counted from the number that there is now.
        let share = streams.count / Int(Self.heardTrust / Self.interval) + 1
        let users = unheard.union(unchecked.suffix(share).filter { streams[$0] != nil })
        unchecked.removeLast(min(share, unchecked.count))
        var rest = Array(users)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(part.count)
            Task {
                // Whoever cannot be asked about stays: nothing comes from a Redis that cannot be reached.
                try? await readAll(part)
            }
        }
    }

    // MARK: SessionObserver

    func sessionsChanged(of uid: String, _ news: SessionNews) {
        let ended = Set(news.ended)
        forget(uid)
        closeStreams(of: uid) { $0.generation != news.generation || ended.contains($0.id) }
    }

    func sessionsMissed(of uid: String) {
        guard streams[uid] != nil else { return }
        unheard.insert(uid)
        Task { try? await readAll([uid]) }
    }

    func sessionsUnheard(of uid: String) {
        if streams[uid] != nil { unheard.insert(uid) }
        guard let entry = entries[uid] else { return }
        entries[uid]?.trusted = min(entry.trusted, entry.asked + Self.trust)
    }
}

extension SessionToken {
    /// As much of the id as tells sessions apart in a log.
    var shortID: String { String(id.prefix(8)) }
}
