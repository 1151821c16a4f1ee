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
        summary: "Add a todo.",
        discussion:
            "Words at the beginning or end that say a day, a time or a goal, such as \"tomorrow\", \"next friday\", \"nov 20\", \"at 9:30\", "
            + "\"내일\", \"오후 3시\" and \"#Work\", are read and left out, and what was read is said on the standard error. --as-is adds "
            + "the text as it is, and so does a backslash before such a word; --date, --time and --goal count more than the words.",
        examples: [
            .init("todomate add alice \"Buy milk\""),
            .init("todomate add alice \"Call mum tomorrow at 9:30\"", "For tomorrow, at 09:30."),
            .init("todomate add alice \"Write the report #Work\"", "For a goal that alice has."),
            .init("todomate add alice \"Call mum\" --date 2026-11-20 --time 18:30 --detail \"after work\""),
        ]
    )

    @Positional(.user) private var user: String
    @Positional("content", as: .content, help: "What to do, in one line.") private var content: String
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
        default: .todo,
        valueName: "status",
        help: "The status."
    )
    private var status: TodoStatus
    @Option(
        "id",
        as: .todoID,
        valueName: "id",
        help: "Your own id: adding the same todo again with it adds nothing."
    )
    private var id: String?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.goal) private var goal: String?
    @Flag("as-is", help: "Read no day, time or goal from the text.") private var isAsIs: Bool
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        let (todo, line) = try await places.place().withStores { try await add(to: $0, today) }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        if let line, !line.readings.isEmpty {
            let said = line.readings.map { "\"\($0.words.sanitized())\" as \($0.meaning.text)" }.joined(separator: ", ")
            FileHandle.standardError.write(Data("todomate: read \(said); --as-is adds the text as it is\n".utf8))
        }
        return .ok
    }

    @LoopActor
    private func add(
        to stores: PersonalStores,
        _ today: CalendarDate
    ) async throws(TodoError) -> (todo: Todo, line: QuickLine?) {
        // Only a line that may name a goal asks for them.
        let goals = content.contains("#") && goal == nil ? try await stores.goals.goals(of: user) : []
        let line = read(today, goals)
        var draft = draft(of: line, today)
        if let goal, !goal.isEmpty { draft.goal = try await stores.goalID(named: goal, of: user) }
        return (try await TodoService(stores.todos).create(draft, for: user), line)
    }

    /// What the text says; nil where it is added as it is, with the spaces around it.
    private func read(_ today: CalendarDate, _ goals: [Goal]) -> QuickLine? {
        guard !isAsIs else { return nil }
        let kinds = Set(
            QuickLine.Kind.allCases.filter {
                switch $0 {
                case .day: date == nil
                case .time: time == nil
                case .goal: goal == nil
                // What is to be done again is for 'todomate routine add'.
                case .rule: false
                }
            }
        )
        let line = QuickLine(content, today: today, goals: goals, kinds: kinds)
        return line.readings.isEmpty && !content.contains("\\") ? nil : line
    }

    private func draft(of line: QuickLine?, _ today: CalendarDate) -> TodoDraft {
        TodoDraft(
            id: id,
            date: date ?? line?.date ?? today,
            time: time.map(\.time) ?? line?.time,
            content: line?.content ?? content,
            detail: detail,
            status: status,
            visibility: visibility,
            goal: line?.goal?.id
        )
    }
}

extension QuickLine.Meaning {
    /// The day, the time, the goal's name or the rule.
    var text: String {
        switch self {
        case .day(let date): date.description
        case .time(let time): time.description
        case .goal(let goal): goal.name.sanitized()
        case .rule(let rule): rule.description
        }
    }
}
