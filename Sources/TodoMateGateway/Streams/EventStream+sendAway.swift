import HTTPServing

extension EventStream {
    /// Makes the reader reconnect to another worker, after a random delay so that readers do not all reconnect at once.
    func sendAway(as ending: Ending = .closed) {
        send(EventFrame.retry(after: .milliseconds(Int.random(in: 100...2000))))
        close(as: ending)
    }
}
