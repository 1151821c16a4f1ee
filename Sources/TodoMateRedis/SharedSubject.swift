public import EventLoop
import Foundation
public import Observing
public import RedisClient
public import TodoMate

/// A ``/Observing/Subject`` over processes: an event that one posts reaches the observers of its topic in all of them.
///
///     let weather = SharedSubject<Measurement>("weather", redis: url)
///     weather.add(display, for: "seoul")
///     await weather.waitUntilSubscribed(to: "seoul")
///     try await weather.post(Measurement(celsius: 21), to: "seoul")
///
/// Events travel as JSON on the Redis channel `todomate:shared:<name>:<topic>`; a process receives its own posts the same way,
/// so that all observers see the same order within a topic. Delivery is at most once: an event posted while a process has no
/// connection is not delivered there. In a cluster the channel is a shard channel, so that each topic is served by one node.
/// For todos, which must not be missed, use ``/TodoMate/TodoRealtimeService``.
@LoopActor
public final class SharedSubject<Event: Codable & Sendable>: SharedSubjectType {
    private let name: String
    private let client: RedisClient
    private let makeSubscriber: () -> RedisSubscriber
    private lazy var subscriber = makeSubscriber()
    /// Whether the connections end with this subject.
    private let ownsConnections: Bool
    private let subject = Subject<String, Event>()
    private var topics: [String: SharedTopic] = [:]
    private var sweeper: LoopTimer?
    /// The number of messages that were not events of this type.
    public private(set) var dropped = 0
    /// Called on the loop with a topic whose channel was lost: until it is back, none of its events are delivered here.
    public var onLoss: ((_ topic: String) -> Void)?

    /// A subject that shares its events with all others of the same name and Redis, over connections of its own.
    public convenience init(_ name: String, redis url: RedisURL, timeout: Duration = .seconds(5)) {
        let client = RedisClient(url, timeout: timeout)
        let subscriber = RedisSubscriber(url, sharing: client)
        self.init(name, client, { subscriber }, ownsConnections: true)
    }

    /// A subject that shares its events with all others of the same name and Redis, over the connections of a repository;
    /// it cannot be used once that is closed.
    public convenience init(_ name: String, over repository: RedisTodoRepository) {
        self.init(name, repository.client, { repository.subscriber }, ownsConnections: false)
    }

    private init(
        _ name: String,
        _ client: RedisClient,
        _ makeSubscriber: @escaping () -> RedisSubscriber,
        ownsConnections: Bool
    ) {
        self.name = name
        self.client = client
        self.makeSubscriber = makeSubscriber
        self.ownsConnections = ownsConnections
        subject.onFirstObserver = { [weak self] topic in LoopActor.assumeIsolated { self?.open(topic) } }
        subject.onLastObserver = { [weak self] topic in LoopActor.assumeIsolated { self?.close(topic) } }
    }

    /// Notifies `observer` of every event posted to `topic` from now on; it is held weakly.
    public func add(_ observer: some Observer<Event>, for topic: String) { subject.add(observer, for: topic) }

    /// Stops notifying `observer` of `topic`.
    public func remove(_ observer: some Observer<Event>, for topic: String) { subject.remove(observer, for: topic) }

    /// Returns when Redis has confirmed the subscription of a topic that has observers here.
    public func waitUntilSubscribed(to topic: String) async {
        await LoopActor.suspend { continuation in
            guard let topic = topics[topic], !topic.isOpen else { return continuation.resume() }
            topic.waiters.append(continuation)
        }
    }

    /// Notifies the observers of `topic`, in this process and in all others.
    ///
    /// - Returns: the number of processes that received it.
    @discardableResult
    public func post(_ event: Event, to topic: String) async throws(SharedSubjectError) -> Int {
        var command = RedisCommand(client.isCluster ? "SPUBLISH" : "PUBLISH", channel(topic))
        do {
            command.append(LineSeparators.escaped(in: Array(try JSONEncoder().encode(event))))
        } catch {
            throw .unwritable("\(error)")
        }
        do throws(RedisError) {
            return try await client.send(command).integer ?? 0
        } catch .server(let refusal) {
            throw .refused(refusal.message)
        } catch {
            throw .unreachable(error.description)
        }
    }

    /// Closes the subject's own connections; nothing is delivered any more, and waiting calls return.
    public func close() {
        sweeper?.cancel()
        sweeper = nil
        if ownsConnections {
            subscriber.close()
            client.close()
        }
        for (name, topic) in topics {
            if !ownsConnections { subscriber.unsubscribe(.channel(channel(name))) }
            topic.finishWaiting()
        }
        topics = [:]
    }

    /// A colon in the name is escaped, so that no name and topic share a channel with another name and topic.
    private func channel(_ topic: String) -> String {
        "todomate:shared:\(name.replacing("%", with: "%25").replacing(":", with: "%3A")):\(topic)"
    }

    private func open(_ topic: String) {
        // Dead observers of quiet topics are looked for, so that their channels do not stay open.
        sweeper = sweeper ?? LoopTimer.every(.seconds(1), of: self) { $0.subject.sweep(limit: 1000) }
        let shared = SharedTopic(
            onMessage: { [weak self] message in self?.receive(message, topic) },
            onLoss: { [weak self] in self?.onLoss?(topic) }
        )
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
    private let onLoss: () -> Void
    private(set) var isOpen = false
    var waiters: [LoopContinuation<Void>] = []

    init(onMessage: @escaping (UnsafeBufferPointer<UInt8>) -> Void, onLoss: @escaping () -> Void) {
        (self.onMessage, self.onLoss) = (onMessage, onLoss)
    }

    func channelOpened(_ channel: String) {
        isOpen = true
        finishWaiting()
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) { onMessage(message) }

    func channelLost(_ channel: String) {
        isOpen = false
        onLoss()
    }

    func finishWaiting() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }
}
