import Foundation
import TodoMate

import TerminalUI
extension TodoHistory {
    /// What the change at an index did, and by which device, in words.
    ///
    /// - Parameter day: writes a day.
    func text(at index: Int, _ words: any BoardWords, day: (CalendarDate) -> String) -> String {
        [what(at: index, words, day: day), entries[index].device.map(words.device)].compactMap(\.self)
            .joined(separator: " · ")
    }

    /// The same without the device.
    func what(at index: Int, _ words: any BoardWords, day: (CalendarDate) -> String) -> String {
        let entry = entries[index]
        let happened = words.happened(entry.kind)
        // What was before the last one may still have to be read.
        guard entry.kind == .modified, index + 1 < entries.count || !hasMore else { return happened }
        guard let differences = differences(at: index) else { return "\(happened) · \(words.unknownBefore)" }
        guard !differences.isEmpty else { return "\(happened) · \(words.writtenAgain)" }
        return differences.map { words.difference($0, to: entry.todo, day: day).sanitized() }.joined(separator: " · ")
    }

    /// How far back it goes, in words.
    ///
    /// - Parameter time: writes a time.
    func reachText(_ words: any BoardWords, time: (Date) -> String) -> String {
        words.reach(reach, since.map { time(Date(timeIntervalSince1970: Double($0) / 1_000_000)) })
    }
}

extension TodoHistory.Entry {
    /// When it was.
    var at: Date { Date(timeIntervalSince1970: Double(id.microseconds) / 1_000_000) }
}
