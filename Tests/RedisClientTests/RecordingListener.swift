import EventLoop
import RedisClient

/// Writes down what channels say.
@LoopActor
final class RecordingListener: RedisChannelListener {
    /// `opened c`, `c: message` and `lost c`, in order.
    private(set) var events: [String] = []
    private(set) var openings = 0
    private(set) var losses = 0
    private(set) var messages: [String] = []

    nonisolated init() {}

    func channelOpened(_ channel: String) {
        openings += 1
        events.append("opened \(channel)")
    }

    func channel(_ channel: String, received message: UnsafeBufferPointer<UInt8>) {
        messages.append(String(decoding: message, as: UTF8.self))
        events.append("\(channel): \(messages.last ?? "")")
    }

    func channelLost(_ channel: String) {
        losses += 1
        events.append("lost \(channel)")
    }
}
