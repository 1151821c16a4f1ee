import EventLoop
import RedisClient
import TodoMate

/// Subscribes to the channels of all users of a cluster, where no pattern can: a shard channel's messages stay with the nodes of
/// its slot.
///
/// The users are those who have a log. They are looked for at the beginning, and again after five seconds, or after twenty times as
/// long as a look through all keys takes: whoever came since is subscribed to as well, and what their logs have by then is told
/// first. A node that does not answer keeps back its own users alone: those who were there before it was looked at for the first time
/// are told of from then on.
@LoopActor
final class AllUsersChannels: RedisChannelListener {
    /// What is not told yet of a user who was found after the beginning: their log comes first.
    private enum Beginning {
        case none
        case reading([TodoChange])
        case read(upTo: ChangeID)
    }

    /// Between two searches, at least; a search may take a twentieth of the time.
    private static let pause = Duration.seconds(5)

    private let subscriber: RedisSubscriber
    private let functions: TodoFunctions
    private let onChange: (TodoChange) -> Void
    private var users: [String: Beginning] = [:]
    /// The slots whose users were all found once: whoever comes there later is new.
    private var known: Set<Int> = []
    private var isClosed = false

    /// - Parameter subscriber: one of its own, as each channel has one listener; it is closed with this.
    init(
        _ subscriber: RedisSubscriber,
        _ functions: TodoFunctions,
        onChange: @escaping (TodoChange) -> Void
    ) {
        (self.subscriber, self.functions, self.onChange) = (subscriber, functions, onChange)
        Task { [weak self] in
            while let took = await self?.look() { await LoopTimer.sleep(for: max(Self.pause, took * 20)) }
        }
    }

    func close() {
        isClosed = true
        subscriber.close()
    }

    /// Subscribes to all whom it finds.
    ///
    /// - Returns: how long that took, where it was not for waiting; nil once this is closed.
    private func look() async -> Duration? {
        let begin = ContinuousClock.now
        // Nodes that were waited for, all at once: that kept nobody busy.
        var away = 1
        do throws(TodoError) {
            let found = try await functions.usersInReach(having: .log)
            guard !isClosed else { return nil }
            for uid in Set(users.keys).subtracting(found.users) where found.slots.contains(Self.slot(of: uid)) {
                users[uid] = nil
                subscriber.unsubscribe(.channel(TodoKeys.channel(of: uid)))
            }
            for uid in found.users where users[uid] == nil {
                users[uid] = known.contains(Self.slot(of: uid)) ? .reading([]) : Beginning.none
                subscriber.subscribe(.channel(TodoKeys.channel(of: uid)), self)
            }
            known.formUnion(found.slots)
            away = found.nodesAway
        } catch {
            // The next search finds them.
        }
        return isClosed ? nil : .now - begin - functions.client.timeout * min(away, 1)
    }

    private static func slot(of uid: String) -> Int { HashSlot.of(TodoKeys.user(uid)) }

    // MARK: RedisChannelListener

    func channelOpened(_ channel: String) {
        guard let uid = TodoKeys.uid(ofChannel: channel), case .reading = users[uid] else { return }
        Task {
            let changes = await logged(of: uid)
            guard case .reading(let waiting) = users[uid] else { return }
            users[uid] = changes.last?.id.map { .read(upTo: $0) } ?? Beginning.none
            for change in changes { onChange(change) }
            for change in waiting { tell(change, of: uid) }
        }
    }

    /// What the log of a new user has; nothing where it cannot be read, as delivery is at most once.
    private func logged(of uid: String) async -> [TodoChange] {
        do throws(TodoError) {
            let command = RedisCommand("XRANGE", TodoKeys.key(.log, of: uid), "-", "+")
            let entries = try await functions.plain(command, isRepeatable: true).array ?? []
            return entries.compactMap { entry in
                guard let fields = entry.array?.last?.array, fields.first?.string == "change", fields.count > 1 else {
                    return nil
                }
                return try? TodoChange(message: fields[1].bytes ?? [], uid: uid)
            }
        } catch {
            return []
        }
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        // A message that is not valid is dropped, as everywhere else.
        guard let uid = TodoKeys.uid(ofChannel: channel),
            let change = try? TodoChange(published: message, uid: uid)
        else { return }
        if case .reading(let waiting) = users[uid] {
            users[uid] = .reading(waiting + [change])
        } else {
            tell(change, of: uid)
        }
    }

    func channelLost(_ channel: String) {}

    private func tell(_ change: TodoChange, of uid: String) {
        if case .read(let last) = users[uid], let id = change.id {
            // Also of a history that began anew since.
            guard id.version > last.version || id.microseconds > last.microseconds else { return }
            users[uid] = Beginning.none
        }
        onChange(change)
    }
}
