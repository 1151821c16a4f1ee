import TerminalUI
import TodoMateRedis

/// Shows how far a deletion has come, on a terminal; how much there is to do is known for the todos alone.
struct PurgeProgress {
    private static let pause = Duration.milliseconds(100)

    private let terminal: Terminal
    private var next = ContinuousClock.now

    init(_ terminal: Terminal) { self.terminal = terminal }

    mutating func show(_ progress: AccountPurge.Progress) {
        guard terminal.isInteractive, case let now = ContinuousClock.now, now >= next else { return }
        next = now + Self.pause
        let text =
            switch progress {
            case .pairs(let count): "purge  \(count.grouped) pairs settled"
            case .reactions(let count): "purge  \(count.grouped) todos with reactions checked"
            case .todos(let left): "purge  \(left.grouped) todos left"
            }
        terminal.write("\r\u{1B}[K" + text)
    }

    /// Takes the line away.
    func clear() { if terminal.isInteractive { terminal.write("\r\u{1B}[K") } }
}
