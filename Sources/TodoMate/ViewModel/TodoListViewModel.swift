public import EventLoop
public import Foundation
public import Observation

/// One user's todos of today, live, by position.
///
///     let list = TodoListViewModel(service: container.todoRealtimeService, uid: "alice")
///     list.onAppear()
///     for await phase in Observations({ list.phase }) where phase == .live { break }
///
/// "Today" is that of its time zone, and changes at midnight there. A todo moved to another day leaves the list, one moved to
/// today enters it.
@LoopActor
@Observable
public final class TodoListViewModel: LiveTodosViewModel {
    /// The day shown.
    public private(set) var date: CalendarDate

    /// What the user has written about the day.
    public var note: Todo? { notes[date] }

    @ObservationIgnored private let timeZone: TimeZone
    @ObservationIgnored private let now: @LoopActor () -> Date
    @ObservationIgnored private var dayCheck: LoopTimer?

    /// How often the clock is checked: a timer set for midnight would be late on a machine that slept.
    private static let dayCheckInterval = Duration.seconds(1)

    /// A list that shows nothing until ``onAppear()``.
    ///
    /// - Parameters:
    ///   - service: delivers the changes.
    ///   - uid: whose todos to show.
    ///   - timeZone: decides what today is.
    ///   - now: the clock.
    public init(
        service: any TodoRealtimeServiceType,
        uid: String,
        timeZone: TimeZone = .current,
        now: @escaping @LoopActor () -> Date = { Date() }
    ) {
        self.timeZone = timeZone
        self.now = now
        let today = CalendarDate(now(), in: timeZone)
        date = today
        super.init(service: service, uid: uid, days: today...today)
    }

    /// Loads today's todos and follows them.
    public override func onAppear() {
        checkDay()
        super.onAppear()
        dayCheck = dayCheck ?? LoopTimer.every(Self.dayCheckInterval, of: self) { $0.checkDay() }
    }

    /// Stops following.
    public override func onDisappear() {
        dayCheck?.cancel()
        dayCheck = nil
        super.onDisappear()
    }

    /// Turns to the new day once the clock has passed midnight. Called every second while on the screen.
    func checkDay() {
        let today = CalendarDate(now(), in: timeZone)
        guard today != date else { return }
        date = today
        show(today...today)
    }
}
