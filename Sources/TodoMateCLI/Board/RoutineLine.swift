import TerminalUI
import TodoMate

/// A routine as a line that can be typed, from one of its days on: with its rule and its time where they are read back as the same.
struct RoutineLine {
    /// The prompt that it is typed in.
    let prompt: BoardPrompt
    private let day: CalendarDate
    private let saysTime: Bool

    /// - Parameter today: the day on which the line is read.
    init(_ routine: Routine, from day: CalendarDate, of uid: String, today: CalendarDate, _ language: BoardLanguage) {
        let rest = routine.rest(from: day)
        let purpose = BoardPrompt.Purpose.routine(routine, day: day, uid: uid)
        // What of its own words reads like a rule or a time stays text.
        var plain = BoardPrompt(purpose, text: routine.content)
        plain.keepAllAsText(today)
        plain.readsGoals = !routine.content.contains("#")
        let rule = Self.typed(rest, language).map { " " + $0 }
        let time = routine.time.map { " \($0)" }
        let forms = [(rule, time), (rule, nil), (nil, time)].map { rule, time in
            var prompt = plain
            prompt.editor = BoardPrompt(purpose, text: routine.content + (rule ?? "") + (time ?? "")).editor
            return (prompt, hasRule: rule != nil, hasTime: time != nil)
        }
        let form = forms.first { prompt, hasRule, hasTime in
            let new = prompt.newTodos(today)
            guard new.problem == nil, let line = new.lines.first else { return false }
            return line.content == routine.content && line.rule == (hasRule ? rest : nil)
                && line.time == (hasTime ? routine.time : nil)
        }
        self.day = day
        (prompt, saysTime) = (form?.0 ?? plain, form?.hasTime ?? false)
    }

    /// What was typed as a routine that begins on that day; nil where it says what there is already.
    ///
    /// - Parameter routine: what it is by now.
    func patch(_ line: QuickLine, of routine: Routine, id: String) -> RoutinePatch? {
        let rest = routine.rest(from: day)
        var patch = RoutinePatch(id: id, content: line.content, rule: line.rule ?? rest)
        if let time = line.time ?? (saysTime ? nil : routine.time) {
            if time != routine.time { patch.time = .set(time) }
        } else if routine.time != nil {
            patch.time = .remove
        }
        if let goal = line.goal, goal.id != routine.goal { patch.goal = goal.id }
        let isSame = patch.content == routine.content && patch.rule == rest && patch.time == nil && patch.goal == nil
        return isSame ? nil : patch
    }

    /// Nil for so many days, which no line says.
    private static func typed(_ rule: RoutineRule, _ language: BoardLanguage) -> String? {
        var every = rule
        every.end = nil
        let said = language.said(every, from: nil, today: .earliest)
        switch rule.end {
        case .until(let day): return said + " " + language.words.until(day.description)
        case .count: return nil
        case nil: return said
        }
    }
}
