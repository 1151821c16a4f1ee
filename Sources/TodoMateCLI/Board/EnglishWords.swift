import TerminalUI
import TodoMate
import TodoMateClient

/// The board in English.
struct EnglishWords: BoardWords {
    let live = "Live"
    let connecting = "Connecting …"
    let reconnecting = "Reconnecting …"
    func tryingAgain(in seconds: Int) -> String { "Not connected, trying again in \(seconds) s" }
    func refused(_ reason: String) -> String { "Refused: \(reason)" }
    func waiting(_ count: Int) -> String { count == 1 ? "1 change waits" : "\(count) changes wait" }
    func refused(_ count: Int) -> String { "\(count) refused" }
    func unsaved(_ count: Int) -> String { "\(count) unsaved" }

    let today = "Today"
    let tomorrow = "Tomorrow"
    let yesterday = "Yesterday"
    let loading = "Loading …"
    func earlier(_ count: Int) -> String { "From earlier · \(count)" }
    let nothingToday = "Nothing planned. Enjoy, or press a to add the first thing."
    let nothingThatDay = "Nothing on this day yet."
    let nothingMatches = "Nothing matches."
    func notCurrent(_ reason: String) -> String { "Not current: \(reason)" }
    func done(_ done: Int, of count: Int) -> String { "\(done) of \(count) done" }
    func open(_ count: Int) -> String { "\(count) open" }
    func more(_ count: Int) -> String { "\(count) more" }
    func moreLists(_ count: Int) -> String { "\(count) more: Tab" }
    func filtered(_ words: String, _ count: Int) -> String { "Only “\(words)”: \(count) here. Esc shows all." }

    func addLabel(_ day: String) -> String { "Add to \(day)" }
    let editLabel = "Edit"
    let noteLabel = "Note"
    let dayNoteLabel = "Note of the day"
    let moveLabel = "Move to"
    let enterSaves = "Enter saves · Esc cancels"
    func until(_ day: String) -> String { "until \(day)" }
    func read(_ readings: [(words: String, meaning: String)]) -> String {
        let said = readings.map { "\"\($0.words)\" as \($0.meaning)" }.joined(separator: ", ")
        return "read \(said); --as-is adds the text as it is"
    }
    func enterSaves(_ reading: String) -> String { "\(reading) · Ctrl-T keeps it as text · Enter saves" }
    let enterSavesNote = "Enter saves · Alt-Enter begins a new line · Esc cancels"
    let enterMoves = "tomorrow, 2026-11-25, fri 9:30, or none for no time · Enter moves · Esc cancels"
    let noGoal = "No goal"
    let nothingListed = "nothing to do"
    let goalLabel = "Goal of"
    func routineLabel(_ day: String) -> String { "Routine from \(day) on" }
    func enterGives(_ goals: String) -> String {
        goals.isEmpty
            ? "There are no goals: 'todomate goal set' makes one" : "One of \(goals), or empty for none · Enter saves"
    }
    let enterFilters = "Enter keeps the filter · Esc shows all"

    let hasNote = "has a note"
    let repeats = "repeats"
    let onlyShown = "only shown"
    let closeHint = "Esc closes · j k scroll"
    let quitHint = "Ctrl-C quits"

    func status(_ status: TodoStatus) -> String {
        switch status {
        case .todo: "to do"
        case .inProgress: "in progress"
        case .complete: "done"
        case .incomplete: "not done"
        }
    }

    func visibility(_ visibility: Visibility) -> String {
        switch visibility {
        case .public: "for everyone"
        case .followers: "for followers"
        case .private: "private"
        }
    }

    func added(_ time: String) -> String { "Added \(time)" }
    func changed(_ time: String) -> String { "Changed \(time)" }

    func historyTitle(_ content: String) -> String { "What became of “\(content)”" }
    let removedTitle = "Deleted todos"
    let historyHint = "b brings it back as it was then · j k choose · Esc closes"
    let removedHint = "b brings it back · Enter shows what became of it · Esc closes"
    let nothingRemoved = "Nothing was deleted."
    let cameBack = "brought back"
    let nothingKnown = "Nothing is known of its changes."

    func happened(_ kind: ChangeKind) -> String {
        switch kind {
        case .added: "added"
        case .modified, .relation, .settings: "changed"
        case .removed: "deleted"
        }
    }

    func difference(_ difference: TodoDifference, to todo: Todo, day: (CalendarDate) -> String) -> String {
        switch difference {
        case .content(let before): "“\(short(before))” → “\(short(todo.content))”"
        case .detail: todo.detail.isEmpty ? "note taken away" : "note changed"
        case .status(let before): "\(status(before)) → \(status(todo.status))"
        case .date(let before): "\(day(before)) → \(day(todo.date))"
        case .time(let before): "\(before?.description ?? "no time") → \(todo.time?.description ?? "no time")"
        case .goal: todo.goal == nil ? "no goal any more" : "another goal"
        case .position: "moved in its list"
        case .visibility(let before): "\(visibility(before)) → \(visibility(todo.visibility))"
        case .reactions: "reactions"
        }
    }

    func device(_ device: WritingDevice) -> String { device.description }

    let unknownBefore = "what it was before is not known"
    let writtenAgain = "written again as it was"

    func reach(_ reach: TodoHistory.Reach, _ time: String?) -> String {
        switch (reach, time) {
        case (.whole, let time?): "That is everything, from the first change on \(time)."
        case (.whole, nil): "That is everything."
        case (.trimmed, let time):
            "Only the last 1,000 changes or so are kept: nothing is known from before \(time ?? "now")."
        case (.lost, let time): "The log was lost: nothing is known from before \(time ?? "now")."
        }
    }

    let unsentTitle = "Done here, and not at the server"
    let nothingUnsent = "The server has everything."
    let unsentHint = "Enter tries again · d gives up what was refused · j k choose · Esc closes"
    func unsent(_ state: PendingChange.State) -> String {
        switch state {
        case .pending: "waits"
        case .sent: "being sent, no answer yet"
        case .refused: "refused"
        }
    }
    func whyRefused(_ error: TodoError, _ kind: PendingChange.Kind) -> String {
        switch (error, kind) {
        case (.notFound, .edited): "It was deleted elsewhere. Enter adds it again, with what you wrote."
        case (.notFound, .skipped), (.notFound, .unskipped): "There is no such routine any more."
        case (.conflict, .removed): "It was changed elsewhere since. Enter deletes it as it is now."
        case (.exists, .added): "Another todo has its id. Enter writes this there."
        case (.invalid, .skipped), (.invalid, .unskipped): "The routine does not have this day any more."
        default: reason(error)
        }
    }
    func done(_ kind: PendingChange.Kind) -> String {
        switch kind {
        case .added: "add"
        case .edited: "change"
        case .removed: "delete"
        case .skipped: "skip"
        case .unskipped: "have again"
        }
    }

    let searchLabel = "Search all days"
    let enterSearches = "Enter searches · Esc cancels"
    let foundAnything = "All todos"
    func foundTitle(_ text: String) -> String { "Found by “\(text)”" }
    let nothingFound = "Nothing is found by this. S looks for other words."
    let foundHint = "Enter goes to its day · S words · i status · # goal · h l month · Esc closes"

    let weekTitle = "Finished in the last seven days"
    let nothingFinished = "What you finish will show here."
    func finishedOfWeek(_ count: Int) -> String { "\(count) finished" }
    func streak(_ days: Int) -> String {
        days < Week.longestStreak
            ? "Something finished \(days) days in a row" : "Something finished each day for a year"
    }
    let nobodyReacted = "nobody has reacted"

    func help(_ command: BoardCommand) -> String {
        switch command {
        case .nextTodo, .previousTodo: "next todo, previous todo"
        case .firstTodo, .lastTodo: "first todo, last todo"
        case .nextDay, .previousDay, .today: "the day before, the day after, back to today"
        case .nextMonth, .previousMonth: "the month before, the month after"
        case .nextUser, .previousUser: "next user's list, previous one"
        case .open, .week: "show all of the todo, what you finished of late"
        case .add, .dayNote: "add a todo to the day shown, write the note of the day"
        case .edit, .note, .goal, .changeRoutine: "edit its text, its note, its goal, its routine from here"
        case .finish: "finish it, or open it again"
        case .begin, .notDone: "mark it as in progress, as not done, or as to do again"
        case .move: "move it to another day or time"
        case .toToday, .allToToday: "move it to today, all from earlier to today"
        case .toNextDay, .toPreviousDay: "move it a day back, a day ahead"
        case .down, .up: "move it down, up in its list"
        case .delete, .endRoutine: "delete it or skip its day, end its routine from that day on"
        case .undo, .unsent: "undo the last change made here, show what is not sent"
        case .history, .bringBack: "what became of it, what was deleted; b brings it back"
        case .filter, .search, .byGoal, .leave: "only matching todos, search all days, by goal or not, all again"
        case .help, .redraw, .quit: "this help, redraw the screen, quit"
        }
    }

    func hint(_ command: BoardCommand) -> String {
        switch command {
        case .add: "add"
        case .edit: "edit"
        case .finish: "done"
        case .move: "move"
        case .allToToday: "all to today"
        case .delete: "delete"
        case .undo: "undo"
        case .filter: "filter"
        case .nextDay, .previousDay: "day"
        case .nextMonth, .previousMonth: "month"
        case .help: "help"
        case .quit: "quit"
        default: help(command)
        }
    }

    func notice(_ notice: BoardNotice, day: (CalendarDate) -> String) -> String {
        switch notice {
        case .deleted(let content): "“\(short(content))” deleted. Press u to undo."
        case .deletedForGood(let content): "“\(short(content))” deleted, and its reactions for good. Press u to undo."
        case .skipped(let content): "“\(short(content))” skipped on this day. Press u to undo."
        case .moved(let content, let date, let time):
            "“\(short(content))” moved to \(day(date))\(time.map { " at \($0)" } ?? ""). Press u to undo."
        case .added(let content, let date, let time):
            "“\(short(content))” added to \(day(date))\(time.map { " at \($0)" } ?? ""). Press u to undo."
        case .routineAdded(let content): "“\(short(content))” added as a routine. Press u to undo."
        case .routineEnded(let content, let date):
            "“\(short(content))” ended from \(day(date)) on. Press u to undo."
        case .routineChanged(let content, let date):
            "“\(short(content))” changed from \(day(date)) on. Press u to undo."
        case .routineChangedElsewhere(let content):
            "The routine “\(short(content))” was changed elsewhere. Look at it, and try again."
        case .routineSaving(let content): "A change of the routine “\(short(content))” is still being saved."
        case .noRoutine(let content): "“\(short(content))” is of no routine that goes on."
        case .notItsDay(let content, let date):
            "\(day(date)) is no day of the routine “\(short(content))” any more: change it on one of its days."
        case .tooManyLines(let count): "Add at most \(NewTodos.most) todos at once; these are \(count)."
        case .tooLong(let count):
            "A todo has at most \(TodoBounds.contentLength) characters; one of these has \(count)."
        case .movedAll(let count): "Moved to today: \(count). Press u to undo."
        case .broughtBack(let content): "“\(short(content))” is as it was. Press u to undo."
        case .notBroughtBack(let error): "Not brought back: \(reasonNotBack(error))"
        case .undone(let content): "Undone: “\(short(content))”."
        case .undoneAll(let count): "Undone: \(count) changes."
        case .nothingToUndo: "Nothing to undo."
        case .notUndone(let content, let error): "Not undone: “\(short(content))” \(sinceThen(error))"
        case .nothingSelected: "There is no todo here. Press a to add one."
        case .nothingEarlier: "Nothing from earlier is left."
        case .noNote(let uid, let date): "\(uid) shows no note of the day: \(day(date))."
        case .readOnly(let uid): "This is \(uid)'s list: you can only change your own."
        case .onlyShown(let content):
            "“\(short(content))” was only announced and is stored nowhere: it cannot be changed."
        case .notSaved(let error): "Not saved: \(reason(error))"
        case .goneWhileEditing: "It was deleted elsewhere. Enter adds it again."
        case .orderedByTime(let content):
            "“\(short(content))” stands where its time puts it. Press m to change the time."
        case .orderedByGoal(let content):
            "“\(short(content))” stands with what it is for. Press # to change that, o for no goals."
        case .byGoal(let isOn): isOn ? "Todos stand by their goals." : "Todos stand in their own order."
        case .empty: "A todo needs text. Esc leaves it as it was."
        case .noDay(let text):
            "“\(short(text))” is not a day or time: write tomorrow, fri 9:30, 2026-11-25, or none for no time."
        case .noGoal(let text): "No goal is called “\(short(text))”: write the name of one, or nothing."
        case .overwritten(let content, let others):
            "“\(short(content))”\(others > 0 ? " and \(others) more" : "") changed elsewhere too: yours stands. H shows both."
        case .discarded(let content): "“\(short(content))” given up."
        case .stillSent(let content): "“\(short(content))” is still to be sent: undo it on the board."
        case .notKept(let reason): "Works only with a network: \(reason)"
        case .savingBeforeQuit: "Saving the last changes … Ctrl-C quits without."
        }
    }

    func unread(_ error: TodoError) -> String { error.description.sanitized() }

    private func sinceThen(_ error: TodoError) -> String {
        switch error {
        case .notFound: "was deleted elsewhere."
        case .exists: "is there again."
        default: "was changed elsewhere. H shows what it is now."
        }
    }

    private func reasonNotBack(_ error: TodoError) -> String {
        switch error {
        case .conflict, .exists, .notFound: "somebody has changed it meanwhile. H shows what it is now."
        default: reason(error)
        }
    }

    private func reason(_ error: TodoError) -> String {
        switch error {
        case .conflict: "it was changed elsewhere. Enter keeps your version."
        case .notFound: "it was deleted elsewhere."
        case .unavailable: "there is no answer. Try again in a moment."
        case .leaving: "this account is to be deleted: keep it first, in My account."
        case .invalid(let text), .exists(let text), .full(let text), .reused(let text), .gone(let text),
            .broken(let text),
            .refused(let text):
            text
        }
    }
}
