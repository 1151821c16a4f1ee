import EventLoop
import TodoMate

/// A user's channel, as ``TodoRepositoryType`` has it, made of what the board tells its observers.
///
/// The board loses nothing while its connection is away. Where it begins anew, the channel was lost for a moment.
@LoopActor
final class BoardChannel: TodoChangeObserver {
    private let uid: String
    private let board: any TodoRealtimeServiceType
    private weak var listener: (any TodoChannelListener)?
    private var isOpen = false
    private var isClosed = false

    init(_ uid: String, _ board: any TodoRealtimeServiceType, _ listener: any TodoChannelListener) {
        (self.uid, self.board, self.listener) = (uid, board, listener)
    }

    func open() {
        board.addObserver(self, for: uid)
        Task {
            await board.waitUntilFollowing(uid)
            guard !isClosed else { return }
            isOpen = true
            listener?.channelOpened()
        }
    }

    func close() {
        isClosed = true
        board.removeObserver(self, for: uid)
    }

    func receive(_ change: TodoChange) { if isOpen { listener?.channelPublished(change) } }

    func accountChanged(_ change: TodoChange) { receive(change) }

    func todosReset(for uid: String) {
        guard isOpen else { return }
        listener?.channelLost()
        listener?.channelOpened()
    }
}
