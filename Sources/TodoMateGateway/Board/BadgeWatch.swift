import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// Keeps one viewer's badges: told that something changed, it pulls just the numbers that it needs.
///
/// A change of the viewer's own costs one read of four numbers; a change of somebody followed costs one read a worker
/// (``FeedIndex``) and a count over what that one did today.
@LoopActor
final class BadgeWatch: TodoObserver {
    private static let pause = Duration.milliseconds(250)
    private static let retry = Duration.seconds(1)

    private let viewer: String
    private let zone: TimeZone
    private let door: BoardDoor
    private let told: (Badges) -> Void
    private var followed: [String: (index: FeedIndex, access: Access)] = [:]
    private var own: OwnBadges?
    private var isOwnKnown = false
    private var day: CalendarDate
    private var last: Badges?
    private var timer: LoopTimer?
    private var isScheduled = false
    private var isOpen = false

    init(_ viewer: String, zone: TimeZone, door: BoardDoor, told: @escaping (Badges) -> Void) {
        self.viewer = viewer
        self.zone = zone
        self.door = door
        self.told = told
        day = CalendarDate(Date(), in: zone)
    }

    func open() {
        isOpen = true
        door.service.addObserver(self, for: viewer)
        timer = LoopTimer { [weak self] in self?.pull() }
        readFollowing()
    }

    func close() {
        isOpen = false
        timer?.cancel()
        door.service.removeObserver(self, for: viewer)
        for owner in followed.keys { door.indexes.remove(self, for: owner) }
        followed = [:]
    }

    /// Looks whether another day has begun.
    func turnDay() {
        let today = CalendarDate(Date(), in: zone)
        guard today != day else { return }
        day = today
        isOwnKnown = false
        schedule()
    }

    /// Pulls the numbers soon, once for all that happens until then.
    func schedule() {
        guard isOpen, !isScheduled else { return }
        isScheduled = true
        timer?.start(after: Self.pause)
    }

    /// Reads anew what the viewer may see of an owner.
    func recheck(_ owner: String) {
        Task {
            guard
                let access = await persistently({ () throws(TodoError) in
                    try await door.relations.access(of: viewer, to: owner).access
                })
            else { return }
            followed[owner]?.access = access
            schedule()
        }
    }

    /// Something became of an owner's account.
    func accountChanged(_ change: TodoChange, of owner: String) {
        switch change.account {
        case .relation(let relation)? where relation.with == viewer: recheck(owner)
        case .settings(_, _?)?: recheck(owner)
        default: break
        }
    }

    // MARK: TodoObserver, of the viewer

    func receive(_ change: TodoChange) {
        isOwnKnown = false
        schedule()
    }

    func accountChanged(_ change: TodoChange) {
        isOwnKnown = false
        if case .relation? = change.account { readFollowing() } else { schedule() }
    }

    func todosReset(for uid: String) {
        isOwnKnown = false
        readFollowing()
    }

    // `receive` takes every change.
    func todoAdded(_ todo: Todo) {}
    func todoModified(_ todo: Todo) {}
    func todoRemoved(_ todo: Todo) {}

    private func readFollowing() {
        Task {
            await door.service.waitUntilFollowing(viewer)
            guard
                let all = await persistently({ () throws(TodoError) in try await door.relations.following(of: viewer) }
                ), isOpen
            else {
                return
            }
            let owners = Set(all.filter { $0.state == .following }.map(\.uid))
            for owner in followed.keys where !owners.contains(owner) {
                door.indexes.remove(self, for: owner)
                followed[owner] = nil
            }
            for owner in owners where followed[owner] == nil {
                followed[owner] = (door.indexes.add(self, for: owner), .none)
                recheck(owner)
            }
            schedule()
        }
    }

    /// Reads until it succeeds; nil when the badges were closed meanwhile. Numbers can wait, but not stay wrong.
    private func persistently<Value>(_ read: @LoopActor () async throws(TodoError) -> Value) async -> Value? {
        while isOpen {
            do throws(TodoError) {
                return try await read()
            } catch {
                await LoopTimer.sleep(for: Self.retry)
            }
        }
        return nil
    }

    private func pull() {
        isScheduled = false
        Task {
            if !isOwnKnown || own == nil {
                isOwnKnown = true
                do throws(TodoError) {
                    own = try await door.feeds.badges(of: viewer, on: day)
                } catch {
                    isOwnKnown = false
                    return schedule()
                }
            }
            guard let own, isOpen else { return }
            let since = max(own.feedSeen + 1, FeedReader.beginning(of: day, in: zone))
            let feed = followed.values.reduce(0) { $0 + $1.index.count(since: since, $1.access) }
            let badges = Badges(own, feed: feed)
            guard badges != last else { return }
            last = badges
            told(badges)
        }
    }
}
