/// The one line that shows the progress of long work.
public struct ProgressLine: Equatable {
    /// What is being done, in a word.
    public let label: String
    /// What is counted, such as "files".
    public let unit: String
    /// How many there are in all.
    public let total: Int

    /// A line for work that has not begun.
    public init(label: String, unit: String, total: Int) {
        (self.label, self.unit, self.total) = (label, unit, total)
    }

    /// The line at a moment: a bar where there is room for one, share, count, rate and time left.
    public func text(done: Int, elapsed: Duration, columns: Int) -> String {
        let seconds = max(elapsed / .milliseconds(1), 1) / 1000
        let rate = Double(done) / seconds
        let share = total > 0 ? min(Double(done) / Double(total), 1) : 1
        var parts = ["\(Int(share * 100)) %", "\(done.grouped) of \(total.grouped) \(unit)"]
        // The first moments say little about the rest.
        if seconds >= 0.5, rate > 0 {
            parts.append("\(Int(rate).grouped)/s")
            if done < total { parts.append(Self.time(Double(total - done) / rate) + " left") }
        }
        let facts = parts.joined(separator: "  ")
        let room = min(columns - 1 - label.displayWidth - facts.displayWidth - 4, 30)
        guard room >= 8 else { return String("\(label)  \(facts)".prefix(max(columns - 1, 0))) }
        let full = Int(share * Double(room))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: room - full)
        return "\(label)  \(bar)  \(facts)"
    }

    /// A time as people say it: `8 s`, `3 min 20 s`, `2 h 5 min`.
    public static func time(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 1e9).rounded(.up))
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }
}

extension Int {
    /// A number that is not negative, with commas between thousands.
    public var grouped: String {
        guard self >= 1000 else { return String(self) }
        let last = String(self % 1000)
        return (self / 1000).grouped + "," + String(repeating: "0", count: 3 - last.count) + last
    }
}
