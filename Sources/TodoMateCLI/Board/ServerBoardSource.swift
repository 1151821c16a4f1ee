import EventLoop
import TodoMate
import TodoMateClient

/// A board at a server.
@LoopActor
struct ServerBoardSource: BoardSource {
    private let client: TodoClient

    init(_ client: TodoClient) { self.client = client }

    var stores: PersonalStores { client.stores }
    var container: DIContainer { client.container }

    func connect(to screen: BoardScreen, wasAsked: Bool) { client.observeStatus { screen.note($0) } }

    func log(to logger: Logger) {
        client.observeStatus { status in
            switch status {
            case .idle, .connecting: break
            case .live: logger.info("connected to the server")
            case .waiting(let reason): logger.info("waiting for the server", ["reason": reason])
            case .signedOut(let reason): logger.error("signed out", ["reason": reason])
            case .refused(let reason): logger.error("the server refuses", ["reason": reason])
            }
        }
    }

    func announcements(_ onChange: @escaping (Announcement?) -> Void) -> AnnouncementWatch? { nil }
}
