import EventLoop

/// The announcement, in this process alone.
@LoopActor
final class InMemoryAnnouncementStore: AnnouncementStoreType {
    private let database: InMemoryDatabase

    init(_ database: InMemoryDatabase) { self.database = database }

    func announcement() async throws(TodoError) -> Announcement? { database.announcement }

    func announce(_ announcement: Announcement) async throws(TodoError) {
        try announcement.check()
        database.announcement = announcement
    }

    func endAnnouncement() async throws(TodoError) -> Bool {
        defer { database.announcement = nil }
        return database.announcement != nil
    }
}
