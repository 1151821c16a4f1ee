import EventLoop
import Observation
import TodoMate
import TodoMateClient

/// The view models of all lists of a board, and what they show at the moment.
@LoopActor
final class BoardModels {
    private let lists: [TodoListViewModel]
    private let months: [TodosInMonthViewModel]
    /// What is unfinished from earlier days, of each list that may be changed here.
    private let earlier: [EarlierTodosViewModel?]
    /// What todos are for and what is done again and again, of the same lists.
    private let settings: [SettingsViewModel?]
    private let viewer: String?
    private let people: KnownPeople
    /// Whether the next change of the models is observed; each registration lasts until that change.
    private var isTracking = false
    /// Called when what was given as tracked is not so any more.
    var onChange: () -> Void = {}

    init(
        _ realtime: any TodoRealtimeServiceType,
        _ stores: PersonalStores,
        _ users: [String],
        _ viewer: String?,
        _ people: KnownPeople
    ) {
        lists = users.map { TodoListViewModel(service: realtime, uid: $0) }
        months = lists.map { list in
            TodosInMonthViewModel(service: realtime, uid: list.uid, month: CalendarMonth(containing: list.date))
        }
        earlier = lists.map { list in
            guard viewer == nil || viewer == list.uid else { return nil }
            return EarlierTodosViewModel(service: realtime, feeds: stores.feeds, uid: list.uid, before: list.date)
        }
        settings = lists.map { list in
            guard viewer == nil || viewer == list.uid else { return nil }
            return SettingsViewModel(service: realtime, relations: stores.relations, uid: list.uid)
        }
        (self.viewer, self.people) = (viewer, people)
    }

    func open() {
        for model in lists { model.onAppear() }
        for model in months { model.onAppear() }
        for model in earlier { model?.onAppear() }
        for model in settings { model?.onAppear() }
    }

    func close() {
        for model in settings { model?.onDisappear() }
        for model in earlier { model?.onDisappear() }
        for model in months { model.onDisappear() }
        for model in lists { model.onDisappear() }
    }

    /// Shows a month; false where it is shown.
    func show(_ month: CalendarMonth) -> Bool {
        guard months.contains(where: { $0.month != month }) else { return false }
        for model in months { model.show(month) }
        return true
    }

    /// Shows what is left from before a day.
    func showEarlier(than today: CalendarDate) {
        for model in earlier { model?.show(before: today) }
    }

    /// What is to be drawn; a change of it is told.
    ///
    /// - Parameter unsent: what waits to be sent.
    func tracked(_ unsent: [PendingChange]) -> BoardContent {
        guard !isTracking else { return content(unsent) }
        isTracking = true
        return withObservationTracking {
            content(unsent)
        } onChange: { [weak self] in
            // Called before the change, and the models change on the loop alone.
            LoopActor.assumeIsolated {
                self?.isTracking = false
                self?.onChange()
            }
        }
    }

    /// What there is at the moment.
    func content(_ unsent: [PendingChange]) -> BoardContent {
        BoardContent(
            today: lists.first?.date ?? CalendarDate.earliest,
            users: lists.indices.map(user),
            unsent: unsent
        )
    }

    private func user(_ index: Int) -> BoardContent.User {
        let (list, month, earlier, settings) = (lists[index], months[index], earlier[index], settings[index])
        let today = lists.first?.date ?? list.date
        let todays = settings?.withRoutines(list.todos, in: list.date...list.date, today: today)
        let days = settings?.withRoutines(month.todos, in: month.month.days, today: today)
        return BoardContent.User(
            uid: list.uid,
            known: people[list.uid],
            isReadOnly: viewer.map { $0 != list.uid } ?? false,
            today: todays ?? list.todos,
            earlier: earlier?.todos ?? [],
            earlierCount: earlier?.count ?? 0,
            goals: settings?.goals ?? [],
            routines: settings?.settings?.routines ?? [],
            month: days.map { Dictionary(grouping: $0, by: \.date) } ?? month.todosByDay,
            todaysNote: list.note,
            notes: month.notes,
            todayPhase: list.phase,
            monthPhase: month.phase
        )
    }
}
