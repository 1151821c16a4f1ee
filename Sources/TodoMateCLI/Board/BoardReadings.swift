import EventLoop
import TodoMate

/// What pages of the board show that is worked out when it is read: of the page that is open, and live.
@LoopActor
final class BoardReadings {
    private enum Key: Equatable {
        case week(uid: String, today: CalendarDate)
        case reactors(id: String, uid: String)
    }

    private let feeds: any FeedStoreType
    private let reader: ReactionReader
    private let service: any TodoRealtimeServiceType
    private var key: Key?
    private var weeks: LiveReading<Week>?
    private var people: LiveReading<[Reactor]>?
    /// Called when something was read.
    var onChange: () -> Void = {}

    init(_ stores: PersonalStores, _ service: any TodoRealtimeServiceType) {
        (feeds, reader, self.service) = (stores.feeds, ReactionReader(stores), service)
    }

    var week: Week? { weeks?.value }
    var reactors: [Reactor]? { people?.value }

    /// Reads what is shown from now on, and nothing else.
    func show(_ mode: BoardState.Mode, _ content: BoardContent) {
        let key = Self.key(mode, content)
        guard key != self.key else { return }
        close()
        self.key = key
        switch key {
        case .week(let uid, let today):
            weeks = LiveReading(service: service, uid: uid) { [feeds] () throws(TodoError) in
                try await feeds.week(of: uid, until: today)
            }
            weeks?.onChange = { [weak self] in self?.onChange() }
            weeks?.onAppear()
        case .reactors(let id, let uid):
            people = LiveReading(service: service, uid: uid, isConcerned: { $0.todo.id == id }) {
                [reader] () throws(TodoError) in try await reader.reactors(to: id, of: uid)
            }
            people?.onChange = { [weak self] in self?.onChange() }
            people?.onAppear()
        case nil: break
        }
    }

    func close() {
        weeks?.onDisappear()
        people?.onDisappear()
        (key, weeks, people) = (nil, nil, nil)
    }

    private static func key(_ mode: BoardState.Mode, _ content: BoardContent) -> Key? {
        switch mode {
        case .page(.week(let uid), _): return .week(uid: uid, today: content.today)
        case .page(.todo(let id, let uid), _):
            // Who reacted is for the owner to know.
            let isReadOnly = content.users.first { $0.uid == uid }?.isReadOnly ?? true
            return isReadOnly || content.todo(id, of: uid)?.revision ?? 0 == 0 ? nil : .reactors(id: id, uid: uid)
        default: return nil
        }
    }
}
