import EventLoop
import TodoMate

/// What a board in the terminal stands on: a Redis, or a server over HTTP.
@LoopActor
protocol BoardSource {
    var stores: PersonalStores { get }
    var container: DIContainer { get }

    /// Tells a screen what becomes of the connection.
    ///
    /// - Parameter wasAsked: whether it has answered already, as its listener is called for the next change only.
    func connect(to screen: BoardScreen, wasAsked: Bool)

    /// Logs what becomes of the connection.
    func log(to logger: Logger)

    /// Follows what is announced.
    func announcements(_ onChange: @escaping (Announcement?) -> Void) -> AnnouncementWatch

    /// What is left to be sent when the board is closed, in words; nil where nothing is.
    var leftover: String? { get }
}
