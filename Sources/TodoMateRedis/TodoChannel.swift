import EventLoop
import RedisClient
import TodoMate

/// One user's channel: turns what is published there into changes.
@LoopActor
final class TodoChannel: RedisChannelListener {
    /// Where it listens.
    let channel: RedisChannel
    private let uid: String
    private weak var listener: (any TodoChannelListener)?

    init(_ uid: String, _ listener: any TodoChannelListener) {
        channel = .channel(TodoKeys.channel(of: uid))
        self.uid = uid
        self.listener = listener
    }

    func channelOpened(_ channel: String) { listener?.channelOpened() }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        do throws(MessageRefusal) {
            listener?.channelPublished(try TodoChange(published: message, uid: uid))
        } catch {
            if let news = SessionNews(message: Array(message)) {
                (listener as? any SessionChannelListener)?.channelPublished(news)
            } else {
                listener?.channelRefused(error)
            }
        }
    }

    func channelLost(_ channel: String) { listener?.channelLost() }
}
