import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate add`
struct AddCommand: Command {
    static let about = CommandDescription(
        name: "add",
        summary: "Add todos, a line each.",
        discussion:
            "Words at the beginning or end that say a day, a time, a goal or how often, such as \"tomorrow\", \"next friday\", \"nov 20\", "
            + "\"at 9:30\", \"내일\", \"오후 3시\", \"#Work\" and \"every weekday\", are read and left out, and what was read is said on the "
            + "standard error, in the language of LANG (English and Korean). What is to be done again and again becomes a routine, as 'routine add' makes it; a text with --status or "
            + "--detail is always a todo. --as-is adds the text as it is, and so does a backslash before such a word; --date, --time and "
            + "--goal count more than the words.",
        examples: [
            .init("todomate add alice \"Buy milk\""),
            .init("todomate add alice \"Call mum tomorrow at 9:30\"", "For tomorrow, at 09:30."),
            .init("todomate add alice \"Write the report #Work\"", "For a goal that alice has."),
            .init("todomate add alice \"Stretch every weekday at 7:00\"", "A routine."),
            .init("todomate add alice - < shopping.txt", "A todo for each line of the file."),
            .init("todomate add alice \"Call mum\" --date 2026-11-20 --time 18:30 --detail \"after work\""),
        ]
    )

    @Positional(.user) private var user: String
    @Positional(
        "content",
        as: .contentLines,
        help: "What to do, a todo each line, at most \(AddedLine.most); - reads it from the standard input."
    )
    private var content: String
    @Option(
        "date",
        short: "d",
        as: .day,
        valueName: "day",
        help: "The day: \(RelativeDay.forms). By default the one that the text says, or today."
    )
    private var date: CalendarDate?
    @Option(.time) private var time: TimeChange?
    @Option("detail", as: .detail, default: "", valueName: "text", help: "Details.") private var detail: String
    @Option(
        "status",
        as: .choice(of: TodoStatus.self),
        valueName: "status",
        help: "The status; by default todo."
    )
    private var status: TodoStatus?
    @Option(
        "id",
        as: .todoID,
        valueName: "id",
        help: "Your own id: adding the same todo again with it adds nothing."
    )
    private var id: String?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.goal) private var goal: String?
    @Flag("as-is", help: "Read no day, time, goal or rule from the text.") private var isAsIs: Bool
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let texts = try AddedLine.texts(content == "-" ? AddedLine.standardInput() : content)
        guard id == nil || texts.count == 1 else {
            throw CommandError.usage("--id names one todo: give one line with it, not \(texts.count)")
        }
        let today = CalendarDate(Date(), in: .current)
        return try await places.place().withStores { stores in
            // Only lines that may name a goal ask for them.
            let asksForGoals = !isAsIs && goal == nil && texts.contains { $0.contains("#") }
            let goals = asksForGoals ? try await stores.goals.goals(of: user) : []
            let named = if let goal, !goal.isEmpty { try await stores.goalID(named: goal, of: user) } else { goal }
            let lines = texts.map { AddedLine($0, read: read($0, today, goals)) }
            for line in lines { try await add(line, named, to: stores, today) }
            return .ok
        }
    }

    /// Each is said as soon as it is there, so that after an error one sees which are.
    @LoopActor
    private func add(_ line: AddedLine, _ goal: String?, to stores: PersonalStores, _ today: CalendarDate) async throws
    {
        if let rule = line.read?.rule {
            let patch = patch(of: line, rule, goal, today)
            let all = try await stores.routines.set([patch], of: user)
            guard let routine = all.first(where: { $0.id == patch.id }) else {
                throw TodoError.unavailable("the routine is not among those of \(user): see 'todomate routine list'")
            }
            try StandardOutput.write(routine.report(asJSON: asJSON, environment))
        } else {
            let todo = try await TodoService(stores.todos).create(draft(of: line, goal, today), for: user)
            try StandardOutput.write(todo.report(asJSON: asJSON))
        }
        if let readings = line.read?.readings, !readings.isEmpty {
            let (language, from) = (BoardLanguage(environment: environment), date ?? line.read?.date ?? today)
            let said = readings.map { ($0.words.sanitized(), $0.meaning.text(language, from: from, today: today)) }
            FileHandle.standardError.write(Data("todomate: \(language.words.read(said))\n".utf8))
        }
    }

    /// What the text says; nil where it is added as it is, with the spaces around it.
    private func read(_ text: String, _ today: CalendarDate, _ goals: [Goal]) -> QuickLine? {
        guard !isAsIs else { return nil }
        let kinds = Set(
            QuickLine.Kind.allCases.filter {
                switch $0 {
                case .day: date == nil
                case .time: time == nil
                case .goal: goal == nil
                // Routines have neither.
                case .rule, .until: status == nil && detail.isEmpty
                }
            }
        )
        let line = QuickLine(text, today: today, goals: goals, kinds: kinds)
        return line.readings.isEmpty && !text.contains("\\") ? nil : line
    }

    private func draft(of line: AddedLine, _ goal: String?, _ today: CalendarDate) -> TodoDraft {
        TodoDraft(
            id: id,
            date: date ?? line.read?.date ?? today,
            time: time.map(\.time) ?? line.read?.time,
            content: line.content,
            detail: detail,
            status: status ?? .todo,
            visibility: visibility,
            goal: goal ?? line.read?.goal?.id
        )
    }

    private func patch(of line: AddedLine, _ rule: RoutineRule, _ goal: String?, _ today: CalendarDate) -> RoutinePatch
    {
        RoutinePatch(
            id: id ?? RandomID.next(),
            content: line.content,
            rule: rule,
            from: rule.start(saidOn: date ?? line.read?.date ?? today),
            time: time ?? line.read?.time.map { .set($0) },
            goal: goal ?? line.read?.goal?.id,
            visibility: visibility.map { .set($0) }
        )
    }
}

extension QuickLine.Meaning {
    /// The day, the time, the goal's name, the rule or its end.
    ///
    /// - Parameter from: the first day of the routine that is read.
    fileprivate func text(_ language: BoardLanguage, from: CalendarDate?, today: CalendarDate) -> String {
        switch self {
        case .day(let date): date.description
        case .time(let time): time.description
        case .goal(let goal): goal.name.sanitized()
        case .rule(let rule): language.said(rule, from: from, today: today)
        case .until(let date): language.words.until(date.description)
        }
    }
}
