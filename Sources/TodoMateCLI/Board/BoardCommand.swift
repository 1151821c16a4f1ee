import TerminalUI

/// What a key does on the board.
enum BoardCommand: CaseIterable, Sendable {
    case nextTodo, previousTodo, firstTodo, lastTodo
    case nextDay, previousDay, today, nextMonth, previousMonth
    case nextUser, previousUser
    case add, dayNote, edit, note, goal, finish, begin, notDone
    case move, toToday, allToToday, toNextDay, toPreviousDay, down, up
    case delete, changeRoutine, endRoutine, undo, unsent
    case history, bringBack
    case open, week, filter, search, byGoal, leave, help, redraw, quit

    /// Whether it is for those alone who may change the list that has the keys: it does so, is about to, or tells what nobody else
    /// may know.
    var isForOwners: Bool {
        switch self {
        case .add, .edit, .note, .goal, .finish, .begin, .notDone, .move, .toToday, .allToToday, .toNextDay,
            .toPreviousDay,
            .down, .up, .delete, .changeRoutine, .endRoutine, .history, .bringBack, .week:
            true
        default: false
        }
    }
}

/// Which keys mean what: the one table behind the keys themselves, the help page and `todomate watch --help`.
enum BoardKeymap {
    /// Commands that the help lists in one line, and the keys of each.
    static let rows: [[(command: BoardCommand, keys: [KeyPress])]] = [
        [
            (.nextTodo, [.character("j"), KeyPress(.down)]),
            (.previousTodo, [.character("k"), KeyPress(.up)]),
        ],
        [
            (.firstTodo, [.character("g"), KeyPress(.home)]),
            (.lastTodo, [.character("G"), KeyPress(.end)]),
        ],
        [
            (.previousDay, [.character("h"), KeyPress(.left)]),
            (.nextDay, [.character("l"), KeyPress(.right)]),
            (.today, [.character("t")]),
        ],
        [
            (.previousMonth, [.character("["), KeyPress(.pageUp)]),
            (.nextMonth, [.character("]"), KeyPress(.pageDown)]),
        ],
        [
            (.nextUser, [KeyPress(.tab)]),
            (.previousUser, [KeyPress(.tab, .shift)]),
        ],
        [
            (.open, [KeyPress(.enter)]),
            (.week, [.character("w")]),
        ],
        [
            (.add, [.character("a")]),
            (.dayNote, [.character("y")]),
        ],
        [
            (.edit, [.character("e")]),
            (.note, [.character("n")]),
            (.goal, [.character("#")]),
            (.changeRoutine, [.character("r")]),
        ],
        [(.finish, [.character(" ")])],
        [
            (.begin, [.character("i")]),
            (.notDone, [.character("x")]),
        ],
        [(.move, [.character("m")])],
        [
            (.toToday, [.character("T")]),
            (.allToToday, [.character("E")]),
        ],
        [
            (.toPreviousDay, [.character("<"), KeyPress(.left, .alt)]),
            (.toNextDay, [.character(">"), KeyPress(.right, .alt)]),
        ],
        [
            (.down, [.character("J"), KeyPress(.down, .alt)]),
            (.up, [.character("K"), KeyPress(.up, .alt)]),
        ],
        [
            (.delete, [.character("d"), KeyPress(.delete)]),
            (.endRoutine, [.character("R")]),
        ],
        [
            (.undo, [.character("u")]),
            (.unsent, [.character("!")]),
        ],
        [
            (.history, [.character("H")]),
            (.bringBack, [.character("b")]),
        ],
        [
            (.filter, [.character("/")]),
            (.search, [.character("S")]),
            (.byGoal, [.character("o")]),
            (.leave, [KeyPress(.escape)]),
        ],
        [
            (.help, [.character("?")]),
            (.redraw, [.character("l", .control)]),
            (.quit, [.character("q"), .character("c", .control)]),
        ],
    ]

    /// Each line of a help text: the keys, and the first of the commands, which stands for all of them.
    static let help: [(keys: String, command: BoardCommand)] = rows.compactMap { row in
        let most = row.map(\.keys.count).max() ?? 0
        // "j k ↓ ↑": what belongs together stands together.
        let keys = (0..<most).flatMap { index in row.compactMap { $0.keys.dropFirst(index).first } }
        return row.first.map { (keys.map(\.label).joined(separator: " "), $0.command) }
    }

    private static let commands = Dictionary(
        rows.joined().flatMap { entry in entry.keys.map { ($0, entry.command) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// The first key of a command.
    static func key(of command: BoardCommand) -> KeyPress? {
        rows.joined().first { $0.command == command }?.keys.first
    }

    /// The command of a key; Korean letters stand for the Latin ones on the same keys.
    static func commands(for press: KeyPress) -> [BoardCommand] {
        if let command = commands[press] { return [command] }
        return press.onLatinLayout.compactMap { commands[$0] }
    }
}
