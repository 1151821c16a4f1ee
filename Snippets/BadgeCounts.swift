// The badges of an app's tabs: whenever an alert comes, each tab is notified and pulls just the number that it shows. The
// alerts know nothing about the tabs, and no tab gets another tab's number.
//
//   swift run BadgeCounts

import Observing

/// What the alerts count.
struct BadgeCounts {
    var chat: Int
    var alarm: Int
    var total: Int
    /// What none of the other tabs shows.
    var more: Int { total - (chat + alarm) }
}

/// The subject.
final class Alerts {
    private let changed = Subject<String, Void>()
    private(set) var counts = BadgeCounts(chat: 0, alarm: 0, total: 0)

    func add(_ tab: some PullObserver<Alerts>) { changed.add(tab, of: self, for: "badges") }
    func remove(_ tab: some PullObserver<Alerts>) { changed.remove(tab, for: "badges") }

    /// Called whenever a new alert comes.
    func receive(_ counts: BadgeCounts) {
        self.counts = counts
        changed.notify("badges")
    }
}

/// A tab that shows one of the numbers.
final class Tab: PullObserver {
    private let title: String
    private let number: (BadgeCounts) -> Int

    init(_ title: String, _ number: @escaping (BadgeCounts) -> Int) {
        self.title = title
        self.number = number
    }

    func update(from source: Alerts) { print("\(title) 뱃지: \(number(source.counts))") }
}

let alerts = Alerts()
let chatting = Tab("채팅탭") { $0.chat }
let alarm = Tab("알림탭") { $0.alarm }
let more = Tab("더보기탭") { $0.more }

alerts.add(chatting)
alerts.add(alarm)
alerts.receive(BadgeCounts(chat: 2, alarm: 1, total: 5))

// A new screen is one more observer; nothing else changes.
alerts.add(more)
alerts.receive(BadgeCounts(chat: 3, alarm: 1, total: 6))

alerts.remove(alarm)
alerts.receive(BadgeCounts(chat: 3, alarm: 0, total: 6))

withExtendedLifetime((chatting, alarm, more)) {}
