import EventLoop

/// How much one connection may write in one turn of the loop.
///
/// Megabytes at once, which a local proxy's socket takes, are a millisecond for which others wait; and so is a little to each of
/// many who take much. What they had to share in the last turn says how much there is for each in the next.
@LoopActor
enum WritingShare {
    private static let ofAll = 512 * 1024
    /// No share is less; and what is less counts for nothing.
    static let least = 16 * 1024

    /// So much may be written now.
    private(set) static var bytes = FrameQueue.fairBytes
    private static var writers = 0

    /// Notes that a connection has much to write in this turn.
    static func noteMuch() {
        if writers == 0 {
            // Behind what is written at the end of the turn as well.
            LoopActor.atEndOfTurn {
                LoopActor.atEndOfTurn {
                    bytes = min(max(ofAll / writers, least), FrameQueue.fairBytes)
                    writers = 0
                }
            }
        }
        writers += 1
    }
}
