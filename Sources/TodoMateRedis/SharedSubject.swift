public import EventLoop
import Foundation
public import Observing
public import RedisClient

/// A ``/Observing/Subject`` whose notifications cross processes: what one posts, the observers of that topic are told in all.
///
///     let weather = SharedSubject<Measurement>("weather", redis: url)
///     weather.add(display, for: "seoul")
///     await weather.waitUntilSubscribed(to: "seoul")
///     try await weather.post(Measurement(celsius: 21), to: "seoul")
///
/// Events travel as JSON on the Redis channel `todomate:shared:<name>:<topic>`; a process hears its own posts the same
/// way, so that all observers everywhere see one order a topic. Delivery is at most once: what is posted while a process
/// has no connection is not told there. For todos, which must not be missed, use ``/TodoMate/TodoRealtimeService``.
@LoopActor
public final class SharedSubject<Event: Codable & Sendable> {
    private let name: String
    private let client: RedisClient
    private let subscriber: RedisSubscriber
    private let subject = Subject<String, Event>()
    private var topics: [String: SharedTopic] = [:]
    private var sweeper: LoopTimer?
    /// Messages that were no event of this type.
    public private(set) var dropped = 0

    /// A subject that shares its events with all others of the same name and Redis.
    public init(_ name: String, redis url: RedisURL, timeout: Duration = .seconds(5)) {
        self.name = name
        client = RedisClient(url, timeout: timeout)
        subscriber = RedisSubscriber(url)
        subject.onFirstObserver = { [weak self] topic in LoopActor.assumeIsolated { self?.open(topic) } }
        subject.onLastObserver = { [weak self] topic in LoopActor.assumeIsolated { self?.close(topic) } }
    }

    /// Tells `observer` of every event posted to `topic` from now on; it is held weakly.
    public func add(_ observer: some Observer<Event>, for topic: String) { subject.add(observer, for: topic) }

    /// Tells `observer` nothing more of `topic`.
    public func remove(_ observer: some Observer<Event>, for topic: String) { subject.remove(observer, for: topic) }

    /// Returns when Redis has confirmed the subscription of a topic that has observers here.
    public func waitUntilSubscribed(to topic: String) async {
        await LoopActor.suspend { continuation in
            guard let topic = topics[topic], !topic.isOpen else { return continuation.resume() }
            topic.waiters.append(continuation)
        }
    }

    /// Tells the observers of `topic`, in this process and in all others.
    ///
    /// - Returns: how many processes heard it.
    /// - Throws: ``/RedisClient/RedisError``, or `EncodingError` when the event cannot be written as JSON.
    @discardableResult
    public func post(_ event: Event, to topic: String) async throws -> Int {
        var command = RedisCommand("PUBLISH", channel(topic))
        command.append(try JSONEncoder().encode(event))
        return try await client.send(command).integer ?? 0
    }

    /// Closes the connections; nothing is told any more, and nobody waits any longer.
    public func close() {
        sweeper?.cancel()
        sweeper = nil
        client.close()
        subscriber.close()
        for topic in topics.values { topic.finishWaiting() }
        topics = [:]
    }

    /// A colon in the name is escaped, so that no name and topic share a channel with another name and topic.
    private func channel(_ topic: String) -> String {
        "todomate:shared:\(name.replacing("%", with: "%25").replacing(":", with: "%3A")):\(topic)"
    }

    private func open(_ topic: String) {
        // Dead observers of quiet topics are looked for, so that their channels do not stay open.
        sweeper = sweeper ?? LoopTimer.every(.seconds(1), of: self) { $0.subject.sweep(limit: 1000) }
        let shared = SharedTopic { [weak self] message in self?.receive(message, topic) }
        topics[topic] = shared
        subscriber.subscribe(.channel(channel(topic)), shared)
    }

    private func close(_ topic: String) {
        subscriber.unsubscribe(.channel(channel(topic)))
        topics.removeValue(forKey: topic)?.finishWaiting()
    }

    private func receive(_ message: UnsafeBufferPointer<UInt8>, _ topic: String) {
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(message)) else {
            dropped += 1
            return
        }
        subject.notify(event, to: topic)
    }
}

/// One topic's channel.
@LoopActor
private final class SharedTopic: RedisChannelListener {
    private let onMessage: (UnsafeBufferPointer<UInt8>) -> Void
    private(set) var isOpen = false
    var waiters: [UnsafeContinuation<Void, Never>] = []

    init(_ onMessage: @escaping (UnsafeBufferPointer<UInt8>) -> Void) { self.onMessage = onMessage }

    func channelOpened(_ channel: String) {
        isOpen = true
        finishWaiting()
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) { onMessage(message) }

    func channelLost(_ channel: String) { isOpen = false }

    func finishWaiting() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }
}
