import EventLoop
import RedisClient
import TodoMate

/// One user's channel: turns what is published there into changes.
@LoopActor
final class TodoChannel: RedisChannelListener {
    private let uid: String
    private weak var listener: (any TodoChannelListener)?

    init(_ uid: String, _ listener: any TodoChannelListener) {
        self.uid = uid
        self.listener = listener
    }

    func channelOpened(_ channel: String) { listener?.channelOpened(of: uid) }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        do throws(MessageRefusal) {
            listener?.channel(of: uid, published: try TodoChange(message: Array(message), uid: uid))
        } catch {
            if let news = SessionNews(message: Array(message)) {
                listener?.channel(of: uid, sessions: news)
            } else {
                listener?.channel(of: uid, refused: error)
            }
        }
    }

    func channelLost(_ channel: String) { listener?.channelLost(of: uid) }
}
