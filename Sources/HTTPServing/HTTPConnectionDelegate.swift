import EventLoop

/// Takes what comes in over connections, and decides how they end.
@LoopActor
protocol HTTPConnectionDelegate: AnyObject {
    /// A request is whole; the connection waits for its answer.
    func received(_ request: HTTPRequest, on connection: HTTPConnection)
    /// What came is refused: the connection is to be ended.
    func refuse(_ connection: HTTPConnection, _ fault: HTTPFault)
    /// The connection is to be ended with bytes of its client unread.
    func endUnread(_ connection: HTTPConnection)
}
