extension LoopTimer {
    /// Returns after `delay`, on the loop.
    public static func sleep(for delay: Duration) async {
        var timer: LoopTimer?
        await LoopActor.suspend { continuation in
            timer = LoopTimer { continuation.resume() }
            timer?.start(after: delay)
        }
        timer?.cancel()
    }
}
