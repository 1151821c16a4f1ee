import TerminalUI

/// Shows on a terminal how many accounts were found, while nobody knows yet how many there are.
struct SearchProgress {
    private static let pause = Duration.milliseconds(100)

    private let terminal: Terminal
    private var next = ContinuousClock.now + pause

    init(_ terminal: Terminal) { self.terminal = terminal }

    mutating func show(_ count: Int) {
        guard terminal.isInteractive, case let now = ContinuousClock.now, now >= next else { return }
        next = now + Self.pause
        terminal.write("\r\u{1B}[Kaccounts  \(count.grouped) found")
    }

    /// Takes the line away.
    func clear() { if terminal.isInteractive { terminal.write("\r\u{1B}[K") } }
}
