package import EventLoop
package import Foundation

/// Knows the announcement that shows at the moment: it looks when it is told to, and now and then besides, as news may be missed.
@LoopActor
package final class AnnouncementFeed {
    private static let interval = Duration.seconds(20)

    private let store: any AnnouncementStoreType
    private let now: @LoopActor () -> Date
    private var stored: Announcement?
    private var told: Announcement?
    private var timer: LoopTimer?
    private var isLooking = false
    private var mustLookAgain = false

    /// Called with each other announcement than before, and with nil at the end.
    package var onChange: ((Announcement?) -> Void)?

    /// - Parameters:
    ///   - store: where it is read.
    ///   - now: the clock.
    package init(_ store: any AnnouncementStoreType, now: @escaping @LoopActor () -> Date = { Date() }) {
        (self.store, self.now) = (store, now)
    }

    /// What shows at the moment; nil for nothing.
    package var current: Announcement? { stored.flatMap { $0.isCurrent(at: now()) ? $0 : nil } }

    /// Looks at once, and from time to time.
    package func start() {
        timer = LoopTimer(every: Self.interval) { [weak self] in self?.look() }
        look()
    }

    package func stop() { timer?.cancel() }

    /// Reads it anew, once for all who ask meanwhile.
    package func look() {
        guard !isLooking else { return mustLookAgain = true }
        isLooking = true
        Task {
            repeat {
                mustLookAgain = false
                await read()
            } while mustLookAgain
            isLooking = false
        }
    }

    private func read() async {
        do throws(TodoError) {
            let read = try await store.announcement()
            // What somebody has written by hand may be anything.
            try read?.check()
            stored = read
        } catch {
            // What was known stays until it can be read again; it ends by itself.
            if case .invalid = error { stored = nil }
        }
        guard current != told else { return }
        told = current
        onChange?(told)
    }
}
