import EventLoop
import TodoMate

/// What event streams are made of: the same for all of a worker.
@LoopActor
final class StreamContext {
    let sharing: SharingService
    let frames = BoardFrames()
    let streams: OpenStreams

    init(_ sharing: SharingService, _ streams: OpenStreams) {
        self.sharing = sharing
        self.streams = streams
        sharing.onRead = { [streams] in streams.checkWaiting(of: $0) }
    }

    var service: any TodoRealtimeServiceType { sharing.service }
    var log: Logger { sharing.log }
}
