import EventLoop

/// Decides when a list is read because the stream is not to be had: on a new device, where nothing is known yet, what was typed could
/// not be sent before.
@LoopActor
final class ListedBase {
    private let read: @LoopActor () async -> Void
    private var isReading = false
    /// The server wanted no request when it was due.
    private var isDue = false

    /// - Parameter read: reads the list, or does not come to.
    init(_ read: @escaping @LoopActor () async -> Void) { self.read = read }

    /// The connection's status has changed.
    ///
    /// - Parameters:
    ///   - isNeeded: whether nothing is known.
    ///   - mayAsk: whether the server may be asked now.
    func noted(_ status: ConnectionStatus, isNeeded: Bool, mayAsk: Bool) {
        switch status {
        case .waiting, .refused: isDue = isNeeded
        case .connecting: break
        case .idle, .live, .signedOut: isDue = false
        }
        guard isDue, mayAsk, !isReading else { return }
        (isDue, isReading) = (false, true)
        Task {
            await read()
            isReading = false
        }
    }
}
