package import EventLoop

/// Stores the one announcement that an installation may have.
@LoopActor
package protocol AnnouncementStoreType: AnyObject, Sendable {
    /// The last one, which may be over; nil for none.
    func announcement() async throws(TodoError) -> Announcement?

    /// Puts one in the place of the one before.
    func announce(_ announcement: Announcement) async throws(TodoError)

    /// Takes it away.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func endAnnouncement() async throws(TodoError) -> Bool
}
