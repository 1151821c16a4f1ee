import Foundation
import TerminalUI
import TodoMate
import TodoMateClient

/// The two lines at the bottom: what there is to say or to type, and below it hints and the state of the connection.
struct BoardFooter {
    /// What is known of Redis, or of the server.
    enum Connection: Equatable {
        case connecting
        case live
        case reconnecting
        /// There is no connection, and so many seconds until the next attempt.
        case waiting(Int)
        case refused(String)
    }

    static let height = 2

    var state: BoardState
    var content: BoardContent
    var connection: Connection
    var hasKeys: Bool
    var language: BoardLanguage

    private var words: any BoardWords { language.words }

    /// Both lines, and the column of the cursor in the first while something is being typed.
    func lines(width: Int) -> (lines: [ScreenLine], cursor: Int?) {
        guard case .prompt(let prompt) = state.mode else {
            return ([message(width: width), bottom(hints, width: width)], nil)
        }
        let (line, cursor) = line(of: prompt, width: width)
        if let problem = prompt.problem {
            return ([line, bottom([(nil, words.notice(problem, day: day))], [.bold, .trouble], width: width)], cursor)
        }
        return ([line, bottom([(nil, promptHint(prompt))], width: width)], cursor)
    }

    private func day(_ date: CalendarDate) -> String { language.name(date, today: content.today) }

    private func message(width: Int) -> ScreenLine {
        var line = ScreenLine()
        if let notice = state.notice {
            let text = words.notice(notice, day: day).sanitized().truncated(toWidth: width - 1)
            line.add(text, at: 1, notice.isTrouble ? [.bold, .trouble] : [.bold])
        } else if !state.filter.isEmpty, state.mode == .board {
            let count = state.todos(of: state.user, content).count
            let text = words.filtered(words.short(state.filter), count).truncated(toWidth: width - 1)
            line.add(text, at: 1, [.bold, .underWay])
        } else if let announcement = state.announcement {
            let text = announcement.text(in: language).sanitized().truncated(toWidth: width - 1)
            line.add(text, at: 1, announcement.level == .warning ? [.bold, .trouble] : [.bold, .here])
        }
        return line
    }

    private func line(of prompt: BoardPrompt, width: Int) -> (ScreenLine, cursor: Int) {
        // Half of the line at least belongs to what is typed.
        let label = label(of: prompt).truncated(toWidth: width / 2 - 3) + " › "
        let room = prompt.room
        let left = room <= prompt.limit / 10 && prompt.purpose != .filter ? " \(room)" : ""
        let start = 1 + label.displayWidth
        let window = prompt.editor.window(width: width - start - left.displayWidth)
        var line = ScreenLine()
        line.add(label, at: 1, [.bold, .here])
        line.add(window.text, at: start)
        line.add(left, at: width - left.displayWidth, [.dim])
        return (line, min(start + window.cursor, width - 1))
    }

    private func label(of prompt: BoardPrompt) -> String {
        switch prompt.purpose {
        case .add(_, let uid, let date, let time, _):
            let lines = prompt.newTodos(content.today, content.goals(for: prompt)).lines
            let line = lines.count == 1 ? lines.first : nil
            let at = (line?.time ?? time).map { " \($0)" } ?? ""
            let day = day(line?.date ?? date ?? state.day(content)) + at
            return words.addLabel(content.users.count > 1 ? "\(day), \(content.person(uid).label)" : day)
        case .edit: return words.editLabel
        case .note: return words.noteLabel
        case .dayNote(_, let date, _): return "\(words.dayNoteLabel) (\(day(date)))"
        case .move(let todo): return "\(words.moveLabel) (\(words.short(todo.content)))"
        case .goal(let todo): return "\(words.goalLabel) (\(words.short(todo.content)))"
        case .routine(_, let date, _): return words.routineLabel(day(date))
        case .filter: return "/"
        case .search(let uid, _):
            return content.users.count > 1 ? "\(words.searchLabel), \(content.person(uid).label)" : words.searchLabel
        }
    }

    private func promptHint(_ prompt: BoardPrompt) -> String {
        switch prompt.purpose {
        case .add, .routine:
            let new = prompt.newTodos(content.today, content.goals(for: prompt))
            let readings = new.readings.map { "\($0.words.sanitized()) → \(meaning($0))" }
            return readings.isEmpty ? words.enterSaves : words.enterSaves(readings.joined(separator: ", "))
        case .edit: return words.enterSaves
        case .note, .dayNote: return words.enterSavesNote
        case .move: return words.enterMoves
        case .goal(let todo):
            let goals = content.users.first { $0.uid == todo.uid }?.goals.filter { !$0.isArchived } ?? []
            return words.enterGives(goals.map(\.name).joined(separator: ", "))
        case .filter: return words.enterFilters
        case .search: return words.enterSearches
        }
    }

    private func meaning(_ reading: QuickLine.Reading) -> String {
        switch reading.meaning {
        case .day(let date): language.short(date, today: content.today)
        case .time(let time): time.description
        case .goal(let goal): goal.name.sanitized()
        case .rule(let rule): language.said(rule, from: nil, today: content.today)
        case .until(let date): words.until(language.short(date, today: content.today))
        }
    }

    /// Keys and what they do, the most important ones first.
    private var hints: [(key: String?, text: String)] {
        guard hasKeys else { return [(nil, words.quitHint)] }
        if case .page = state.mode { return [(nil, words.closeHint)] }
        if case .found = state.mode { return [(nil, words.foundHint)] }
        if case .unsent = state.mode { return [(nil, words.unsentHint)] }
        if case .past(let past) = state.mode { return [(nil, past.id == nil ? words.removedHint : words.historyHint)] }
        let all: [[BoardCommand]] = state.earlier(of: state.user, content).isEmpty ? [] : [[.allToToday]]
        let commands: [[BoardCommand]] =
            [
                [.help], [.add], [.finish],
            ] + all + [
                [.edit], [.move], [.delete], [.undo], [.filter], [.previousDay, .nextDay],
                [.previousMonth, .nextMonth], [.quit],
            ]
        return commands.compactMap { pair in
            pair.first.map {
                (pair.compactMap { BoardKeymap.key(of: $0)?.label }.joined(separator: " "), words.hint($0))
            }
        }
    }

    private func bottom(
        _ hints: [(key: String?, text: String)],
        _ look: [TextStyle] = [.dim],
        width: Int
    ) -> ScreenLine {
        let (sign, text, signLook) = connectionSign
        let unsaved = state.unanswered > 0 && connection != .live ? " · \(words.unsaved(state.unanswered))" : ""
        let most = connection == .live ? width / 2 : max(width * 2 / 3, width - 30)
        let shown = "\(sign) \(text.sanitized())\(unsaved)\(unsent)".truncated(toWidth: most)
        var line = ScreenLine()
        var column = 1
        let end = width - shown.displayWidth - 2
        for hint in hints {
            let key = hint.key.map { "\($0) " } ?? ""
            let hintWidth = key.displayWidth + hint.text.displayWidth
            guard column + hintWidth <= end else {
                // One alone is cut rather than left out.
                if hints.count == 1 {
                    line.add(hint.text.sanitized().truncated(toWidth: end - column), at: column, look)
                }
                break
            }
            line.add(key, at: column, [.bold])
            line.add(hint.text.sanitized(), at: column + key.displayWidth, look)
            column += hintWidth + 2
        }
        line.add(shown, at: width - shown.displayWidth, signLook)
        return line
    }

    /// What the server does not have; with the key that shows it where it refused some.
    private var unsent: String {
        let refused = content.unsent.count(where: \.isRefused)
        let waiting = content.unsent.count - refused
        let key = BoardKeymap.key(of: .unsent)?.label ?? ""
        let parts = [
            waiting > 0 && connection != .live ? words.waiting(waiting) : nil,
            refused > 0 ? "\(words.refused(refused)): \(key)" : nil,
        ]
        return parts.compactMap { $0.map { " · \($0)" } }.joined()
    }

    private var connectionSign: (sign: String, text: String, look: [TextStyle]) {
        switch connection {
        case .connecting: ("○", words.connecting, [.underWay])
        case .live: ("●", words.live, [.done])
        case .reconnecting: ("○", words.reconnecting, [.bold, .reverse, .trouble])
        case .waiting(let seconds): ("○", words.tryingAgain(in: seconds), [.bold, .reverse, .trouble])
        case .refused(let reason): ("×", words.refused(reason), [.bold, .reverse, .trouble])
        }
    }
}

extension Announcement {
    /// What it says to readers of a language.
    func text(in language: BoardLanguage) -> String {
        language.locale.language.languageCode?.identifier == "ko" ? korean ?? text : text
    }
}
