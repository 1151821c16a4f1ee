import EventLoop
import RedisClient
import TodoMate

/// The readers of ``RedisTodoRepository/observeTodoChanges()``, who share one subscription to everybody: by a pattern, or in a
/// cluster user by user.
@LoopActor
final class TodoChangeStreams: RedisChannelListener {
    private static let buffered = 1024

    private let subscriber: RedisSubscriber
    /// Subscribes to everybody in a cluster; nil for one Redis.
    private let makeChannels: ((@escaping (TodoChange) -> Void) -> AllUsersChannels)?
    private var channels: AllUsersChannels?
    private var readers: [Int: AsyncStream<DatabaseChange<TodoDTO>>.Continuation] = [:]
    private var nextReader = 0

    init(
        _ subscriber: RedisSubscriber,
        makeChannels: ((@escaping (TodoChange) -> Void) -> AllUsersChannels)?
    ) {
        (self.subscriber, self.makeChannels) = (subscriber, makeChannels)
    }

    func open() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: DatabaseChange<TodoDTO>.self,
            bufferingPolicy: .bufferingNewest(Self.buffered)
        )
        if readers.isEmpty { subscribe() }
        let number = nextReader
        nextReader += 1
        readers[number] = reader
        reader.onTermination = { [weak self] _ in
            Task { @LoopActor in self?.close(number) }
        }
        return stream
    }

    /// Ends all readers' loops.
    func finish() {
        for reader in readers.values { reader.finish() }
        channels?.close()
    }

    private func subscribe() {
        if let makeChannels {
            channels = makeChannels { [weak self] in self?.tell($0) }
        } else {
            subscriber.subscribe(.pattern(TodoKeys.everyChannel), self)
        }
    }

    private func unsubscribe() {
        if let channels {
            channels.close()
            self.channels = nil
        } else {
            subscriber.unsubscribe(.pattern(TodoKeys.everyChannel))
        }
    }

    private func tell(_ change: TodoChange) {
        guard let change = change.databaseChange else { return }
        for reader in readers.values { reader.yield(change) }
    }

    private func close(_ number: Int) {
        readers[number] = nil
        if readers.isEmpty { unsubscribe() }
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        // A message that is not valid is dropped, as everywhere else.
        guard let uid = TodoKeys.uid(ofChannel: channel),
            let change = try? TodoChange(published: message, uid: uid)
        else { return }
        tell(change)
    }

    func channelOpened(_ channel: String) {}
    func channelLost(_ channel: String) {}
}
