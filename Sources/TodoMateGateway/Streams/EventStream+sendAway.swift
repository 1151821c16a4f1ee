import HTTPServing

extension EventStream {
    /// Asks the reader to come back elsewhere, at a time of its own, so that the other workers are not all called at once.
    func sendAway(as ending: Ending = .closed) {
        send(EventFrame.retry(after: .milliseconds(Int.random(in: 100...2000))))
        close(as: ending)
    }
}
