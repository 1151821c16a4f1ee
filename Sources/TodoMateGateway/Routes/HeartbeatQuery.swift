import HTTPServing

/// How often the reader of a stream wants to hear that it is alive: `?heartbeat=3`, in seconds.
enum HeartbeatQuery {
    static let name = "heartbeat"
    /// More often tells nobody more; more seldom, proxies take the connection for dead.
    static let seconds: ClosedRange<UInt32> = 2...60

    /// Nil for as often as usual.
    static func seconds(_ request: HTTPRequest) throws(Problem) -> UInt32? {
        guard let text = request.query(name) else { return nil }
        guard let wish = UInt32(text), seconds.contains(wish) else {
            throw Problem(.invalid, "heartbeat must be \(seconds.lowerBound) to \(seconds.upperBound) seconds")
        }
        return wish
    }
}
