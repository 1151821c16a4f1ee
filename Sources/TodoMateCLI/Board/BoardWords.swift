import TerminalUI
import TodoMate
import TodoMateClient

/// All that the board says, in one language.
protocol BoardWords: Sendable {
    var live: String { get }
    var connecting: String { get }
    var reconnecting: String { get }
    /// - Parameter seconds: until the next attempt.
    func tryingAgain(in seconds: Int) -> String
    /// It is there and refuses.
    func refused(_ reason: String) -> String
    /// So many changes wait to be sent.
    func waiting(_ count: Int) -> String
    /// So many changes were refused.
    func refused(_ count: Int) -> String
    func unsaved(_ count: Int) -> String

    var today: String { get }
    var tomorrow: String { get }
    var yesterday: String { get }
    var loading: String { get }
    /// Above what is unfinished from earlier days.
    func earlier(_ count: Int) -> String
    var nothingToday: String { get }
    var nothingThatDay: String { get }
    var nothingMatches: String { get }
    /// What is shown may have changed since.
    func notCurrent(_ reason: String) -> String
    /// Why something could not be read.
    func unread(_ error: TodoError) -> String
    func done(_ done: Int, of count: Int) -> String
    func open(_ count: Int) -> String
    func more(_ count: Int) -> String
    func moreLists(_ count: Int) -> String
    func filtered(_ words: String, _ count: Int) -> String

    func addLabel(_ day: String) -> String
    var editLabel: String { get }
    var noteLabel: String { get }
    /// What a user writes about a day.
    var dayNoteLabel: String { get }
    var moveLabel: String { get }
    var enterSaves: String { get }
    /// The same, with what was read.
    func enterSaves(_ reading: String) -> String
    var enterSavesNote: String { get }
    var enterMoves: String { get }
    var enterFilters: String { get }
    /// The last day of what is done again and again.
    func until(_ day: String) -> String
    /// From Monday to Friday.
    var everyWeekday: String { get }
    /// On Saturday and Sunday.
    var everyWeekend: String { get }
    /// How often something is done again, without an end.
    ///
    /// - Parameters:
    ///   - weekdays: the days of a week; nil for those that the rule leaves open.
    ///   - monthDay: the day of a month, -1 for the last; nil where that is not to be said.
    func every(_ rule: RoutineRule, on weekdays: String?, monthDay: Int?) -> String
    /// After so many times it ends.
    func soOften(_ count: Int) -> String
    /// The names of the days of a week, from Sunday on, as a rule says one or several of them.
    func weekdays(_ language: BoardLanguage, isOne: Bool) -> [String]
    /// What the command `add` has read: words, and what each of them means.
    func read(_ readings: [(words: String, meaning: String)]) -> String
    var goalLabel: String { get }
    func routineLabel(_ day: String) -> String
    /// Above what is for no goal.
    var noGoal: String { get }
    /// That a command has no todos to list.
    var nothingListed: String { get }
    /// - Parameter goals: the names of all; empty for none.
    func enterGives(_ goals: String) -> String

    /// What the sign of a note means.
    var hasNote: String { get }
    /// What the sign of a routine's day means.
    var repeats: String { get }
    /// What the sign of a todo means that was only published.
    var onlyShown: String { get }
    var closeHint: String { get }
    /// All that can be done where no keys are read.
    var quitHint: String { get }
    func status(_ status: TodoStatus) -> String
    func visibility(_ visibility: Visibility) -> String
    func added(_ time: String) -> String
    func changed(_ time: String) -> String

    /// Above what became of a todo with these words.
    func historyTitle(_ content: String) -> String
    /// Above the todos that were removed of late.
    var removedTitle: String { get }
    var historyHint: String { get }
    var removedHint: String { get }
    var nothingRemoved: String { get }
    /// Of one that was added again after it was removed.
    var cameBack: String { get }
    /// Of a todo that is older than all that is known.
    var nothingKnown: String { get }
    func happened(_ kind: ChangeKind) -> String
    /// - Parameters:
    ///   - todo: what it has become.
    ///   - day: writes a day.
    func difference(_ difference: TodoDifference, to todo: Todo, day: (CalendarDate) -> String) -> String
    /// The device by which something was written.
    func device(_ device: WritingDevice) -> String
    /// What was before a change is not in the log.
    var unknownBefore: String { get }
    /// A change that left all as it was.
    var writtenAgain: String { get }
    /// How far back the log goes.
    func reach(_ reach: TodoHistory.Reach, _ time: String?) -> String

    /// Above what was done here and the server does not have.
    var unsentTitle: String { get }
    var nothingUnsent: String { get }
    var unsentHint: String { get }
    func unsent(_ state: PendingChange.State) -> String
    /// Why the server will not have something that was done here, and what Enter does then.
    func whyRefused(_ error: TodoError, _ kind: PendingChange.Kind) -> String
    /// What was done to the todo that follows.
    func done(_ kind: PendingChange.Kind) -> String

    var searchLabel: String { get }
    var enterSearches: String { get }
    /// Above what was found by these words.
    var foundAnything: String { get }
    func foundTitle(_ text: String) -> String
    var nothingFound: String { get }
    var foundHint: String { get }

    /// Above what was finished of late.
    var weekTitle: String { get }
    var nothingFinished: String { get }
    func finishedOfWeek(_ count: Int) -> String
    /// - Parameter days: on how many in a row something was finished, at least two.
    func streak(_ days: Int) -> String
    var nobodyReacted: String { get }

    /// What the keys of one line of the help page do.
    func help(_ command: BoardCommand) -> String
    /// A word or two for the keys that stand in the bottom line.
    func hint(_ command: BoardCommand) -> String
    /// - Parameter day: writes a day.
    func notice(_ notice: BoardNotice, day: (CalendarDate) -> String) -> String
}

extension BoardWords {
    /// The beginning of a todo's words, to name it by.
    func short(_ content: String) -> String { content.sanitized().truncated(toWidth: 30) }
}
