import EventLoop

/// Where a gateway has come to listen.
@LoopActor
final class ListeningPlace {
    var port = 0

    nonisolated init() {}
}
