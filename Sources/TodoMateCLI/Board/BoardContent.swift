import Foundation
import TodoMate
import TodoMateClient

/// What the view models hold at one moment.
struct BoardContent {
    /// One user's todos.
    struct User {
        var uid: String
        /// How the viewer knows them; nil for nothing yet.
        var known: PublicPerson?
        /// Whether the user of the board may only read this list.
        var isReadOnly = false
        /// Those of today.
        var today: [Todo] = []
        /// What is unfinished from days before today, the latest days first; none for who may not change it.
        var earlier: [Todo] = []
        /// How many of those there are, more than are listed where they are many.
        var earlierCount = 0
        /// What they may be for, in list order; none for who may not change it.
        var goals: [Goal] = []
        /// What they do again and again; none for who may not change it.
        var routines: [Routine] = []
        /// Those of the month that is shown.
        var month: [CalendarDate: [Todo]] = [:]
        /// What they have written about today.
        var todaysNote: Todo?
        /// The same of the days of the month that is shown.
        var notes: [CalendarDate: Todo] = [:]
        var todayPhase = ViewModelPhase.loading
        var monthPhase = ViewModelPhase.loading

        /// Who it is, as it shows.
        var person: PublicPerson { known ?? PublicPerson(uid: uid) }
    }

    var today: CalendarDate
    var users: [User]
    /// What the shown user has finished of late, once it was read.
    var week: Week?
    /// Who reacted to the shown todo, once that was read, for who may know.
    var reactors: [Reactor]?
    /// What was done here and the server does not have.
    var unsent: [PendingChange] = []

    /// A user's todos of a day of the shown month, or of today, as far as they match the filter.
    func todos(of user: Int, on day: CalendarDate, matching filter: String) -> [Todo] {
        guard users.indices.contains(user) else { return [] }
        let todos = day == today ? users[user].today : users[user].month[day] ?? []
        return filter.isEmpty ? todos : todos.filter { $0.matches(filter) }
    }

    /// What a user has written about a day of the shown month, or about today.
    func note(of user: Int, on day: CalendarDate) -> Todo? {
        guard users.indices.contains(user) else { return nil }
        return day == today ? users[user].todaysNote : users[user].notes[day]
    }

    /// What a user has left unfinished on earlier days, as far as it matches the filter; none before today itself is read, as the
    /// day's first todo is to be the one that keys act on first.
    func earlier(of user: Int, matching filter: String) -> [Todo] {
        guard users.indices.contains(user), users[user].todayPhase != .loading || !users[user].today.isEmpty else {
            return []
        }
        return filter.isEmpty ? users[user].earlier : users[user].earlier.filter { $0.matches(filter) }
    }

    /// What can be said about a user's todos of a day.
    func phase(of user: Int, on day: CalendarDate) -> ViewModelPhase {
        guard users.indices.contains(user) else { return .loading }
        return day == today ? users[user].todayPhase : users[user].monthPhase
    }

    /// Somebody as the viewer knows them.
    func person(_ uid: String) -> PublicPerson {
        users.first { $0.uid == uid }?.person ?? PublicPerson(uid: uid)
    }

    /// What the todos that are being typed may be for.
    func goals(for prompt: BoardPrompt) -> [Goal] {
        switch prompt.purpose {
        case .add(_, let uid, _, _, _), .routine(_, _, let uid): users.first { $0.uid == uid }?.goals ?? []
        default: []
        }
    }

    /// What a todo is for, as far as that is known here.
    func goal(of todo: Todo) -> Goal? {
        todo.goal.flatMap { id in users.first { $0.uid == todo.uid }?.goals.first { $0.id == id } }
    }

    /// The routine that a todo is of, and the day of it; nil where there is no such routine any more.
    func routine(of todo: Todo) -> (routine: Routine, day: CalendarDate)? {
        guard let (id, day) = Routine.parts(ofID: todo.id) else { return nil }
        return routine(id, of: todo.uid).map { ($0, day) }
    }

    /// The routine with an id, if it is there.
    func routine(_ id: String, of uid: String) -> Routine? {
        users.first { $0.uid == uid }?.routines.first { $0.id == id }
    }

    /// Whether a todo was only published, so that there is nothing to change; one that waits to be sent is stored here.
    func isOnlyShown(_ todo: Todo) -> Bool {
        todo.revision == 0 && !todo.isUnmade && !unsent.contains { $0.todoID == todo.id && $0.todo.uid == todo.uid }
    }

    /// The todo with this id, wherever it is shown.
    func todo(_ id: String, of uid: String) -> Todo? {
        guard let user = users.first(where: { $0.uid == uid }) else { return nil }
        return (user.today + user.earlier).first { $0.id == id } ?? user.month.values.joined().first { $0.id == id }
            ?? (user.todaysNote?.id == id ? user.todaysNote : user.notes.values.first { $0.id == id })
    }
}

extension Todo {
    /// Whether its text contains these words, regardless of case and accents.
    fileprivate func matches(_ words: String) -> Bool {
        [content, detail].contains { $0.range(of: words, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
    }
}
