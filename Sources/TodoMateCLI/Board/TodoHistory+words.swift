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
        let happened = isReturn(at: index) ? words.cameBack : words.happened(entry.kind)
        // What was before the last one may still have to be read.
        guard entry.kind == .modified, index + 1 < entries.count || !hasMore else { return happened }
        guard let differences = differences(at: index) else { return "\(happened) · \(words.unknownBefore)" }
        guard !differences.isEmpty else { return "\(happened) · \(words.writtenAgain)" }
        return differences.map { words.difference($0, to: entry.todo, day: day).sanitized() }.joined(separator: " · ")
    }

    /// Whether what was removed was added again.
    private func isReturn(at index: Int) -> Bool {
        entries[index].kind == .added && index + 1 < entries.count && entries[index + 1].kind == .removed
    }

    /// How far back it goes, in words.
    ///
    /// - Parameter time: writes a time.
    func reachText(_ words: any BoardWords, time: (Date) -> String) -> String {
        // When the log began is nothing to one that was added later.
        let isAll = reach == .whole && !hasMore && entries.last?.kind == .added
        let start = isAll ? nil : since.map { time(Date(timeIntervalSince1970: Double($0) / 1_000_000)) }
        return words.reach(reach, start)
    }
}

extension TodoHistory.Entry {
    /// When it was.
    var at: Date { Date(timeIntervalSince1970: Double(id.microseconds) / 1_000_000) }
}
