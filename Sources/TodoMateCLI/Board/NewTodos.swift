import TerminalUI
import TodoMate

/// The todos and routines that somebody is typing, a line each, with what is read from them.
struct NewTodos {
    /// The most of them at once, as in the page.
    static let most = 50
    /// The day that words are read on where it makes no difference.
    static let anyDay = CalendarDate.earliest

    /// What is typed, without empty lines.
    let lines: [QuickLine]
    /// The same as it was typed.
    let typed: [String]
    /// Why they cannot be added as they are.
    let problem: BoardNotice?

    init(_ text: String, today: CalendarDate, goals: [Goal], kinds: Set<QuickLine.Kind>, asText: Set<String>) {
        typed = Self.typed(text)
        lines = typed.map { QuickLine($0, today: today, goals: goals, kinds: kinds, asText: asText) }
        let longest = Self.longest(typed)
        problem =
            typed.count > Self.most
            ? .tooManyLines(typed.count) : longest > TodoBounds.contentLength ? .tooLong(longest) : nil
    }

    private static func typed(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0.replacing("\t", with: " ")).trimmed }.filter { !$0.isEmpty }
    }

    private static func longest(_ lines: [String]) -> Int { lines.map(\.unicodeScalars.count).max() ?? 0 }

    /// How many more characters the longest of them may have.
    static func room(_ text: String) -> Int { TodoBounds.contentLength - longest(typed(text)) }

    /// What is read from all of them, each of the same words once.
    var readings: [QuickLine.Reading] {
        var seen: Set<String> = []
        return lines.flatMap(\.readings).filter { seen.insert($0.words).inserted }
    }
}

extension BoardPrompt {
    /// What is read from the lines.
    private var kinds: Set<QuickLine.Kind> {
        switch purpose {
        case .add: Set(QuickLine.Kind.allCases)
        case .routine: Set(QuickLine.Kind.allCases).subtracting([.day])
        default: []
        }
    }

    /// Whether new todos are being typed, or what a routine is to be.
    var isReadingWords: Bool { !kinds.isEmpty }

    /// How many more characters there is room for.
    var room: Int { isReadingWords ? NewTodos.room(editor.text) : editor.room }

    /// How many characters there may be.
    var limit: Int { isReadingWords ? TodoBounds.contentLength : editor.limit }

    /// What is being typed; nothing where no todos are.
    ///
    /// - Parameter goals: those that `#` may name.
    func newTodos(_ today: CalendarDate, _ goals: [Goal] = []) -> NewTodos {
        NewTodos(
            isReadingWords ? editor.text : "",
            today: today,
            goals: readsGoals ? goals : [],
            kinds: kinds,
            asText: asText
        )
    }

    /// Keeps the last words that are read as text; once none are read, reads all of them again.
    mutating func toggleReading(_ today: CalendarDate, _ goals: [Goal] = []) {
        if let last = newTodos(today, goals).readings.last {
            asText.insert(last.words)
        } else {
            asText = []
        }
    }

    /// Words that are gone may be read when they are typed again.
    mutating func forgetWhatIsGone(_ today: CalendarDate, _ goals: [Goal] = []) {
        guard !asText.isEmpty else { return }
        asText.formIntersection(newTodos(today, goals).lines.flatMap(\.kept))
    }

    /// Keeps all of the text as text: what it says was read before.
    mutating func keepAllAsText(_ today: CalendarDate) {
        readsGoals = false
        while let last = newTodos(today).readings.last { asText.insert(last.words) }
    }
}
