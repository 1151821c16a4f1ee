import EventLoop
import RedisClient
import TodoMate

/// The readers of ``RedisTodoRepository/observeTodoChanges()``, who share one pattern subscription.
@LoopActor
final class TodoChangeStreams: RedisChannelListener {
    private static let buffered = 1024

    private let subscriber: RedisSubscriber
    private var readers: [Int: AsyncStream<DatabaseChange<TodoDTO>>.Continuation] = [:]
    private var nextReader = 0

    init(_ subscriber: RedisSubscriber) { self.subscriber = subscriber }

    func open() -> AsyncStream<DatabaseChange<TodoDTO>> {
        let (stream, reader) = AsyncStream.makeStream(
            of: DatabaseChange<TodoDTO>.self,
            bufferingPolicy: .bufferingNewest(Self.buffered)
        )
        if readers.isEmpty { subscriber.subscribe(.pattern(TodoKeys.everyChannel), self) }
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
    }

    private func close(_ number: Int) {
        readers[number] = nil
        if readers.isEmpty { subscriber.unsubscribe(.pattern(TodoKeys.everyChannel)) }
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        // A message that is not valid is dropped, as everywhere else.
        guard let uid = TodoKeys.uid(ofChannel: channel),
            let change = try? TodoChange(message: Array(message), uid: uid).databaseChange
        else { return }
        for reader in readers.values { reader.yield(change) }
    }

    func channelOpened(_ channel: String) {}
    func channelLost(_ channel: String) {}
}
