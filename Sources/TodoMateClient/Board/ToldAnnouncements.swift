import EventLoop
import TodoMate

/// What an operator announces, as the event stream has told it; nothing while nothing is watched.
@LoopActor
final class ToldAnnouncements: AnnouncementStoreType {
    private var told: Announcement?
    /// Called when it may be another one.
    var onChange: () -> Void = {}

    nonisolated init() {}

    func take(_ announcement: Announcement?) {
        guard announcement != told else { return }
        told = announcement
        onChange()
    }

    func announcement() async throws(TodoError) -> Announcement? { told }

    func announce(_ announcement: Announcement) async throws(TodoError) { throw Self.refusal }

    func endAnnouncement() async throws(TodoError) -> Bool { throw Self.refusal }

    private static let refusal = TodoError.refused("announcements are made in the page, or beside Redis")
}
