import EventLoop
import TodoMate
import TodoMateClient

/// A board at a server.
@LoopActor
struct ServerBoardSource: BoardSource {
    private let client: TodoClient
    /// Why nothing is kept without a network; nil where it is.
    private let notKept: String?

    init(_ client: TodoClient, notKept: String?) { (self.client, self.notKept) = (client, notKept) }

    var stores: PersonalStores { client.stores }
    var container: DIContainer { client.container }

    func connect(to screen: BoardScreen, wasAsked: Bool) {
        client.observeStatus { [client] in screen.note($0, client.nextAttempt) }
        if let notKept { return screen.tell(.notKept(notKept)) }
        client.observePendingChanges { [client] _ in
            screen.note(client)
            Self.tellOverwritten(client, on: screen)
        }
    }

    private static func tellOverwritten(_ client: TodoClient, on screen: BoardScreen) {
        let all = client.overwritten
        guard let first = all.first else { return }
        let name = client.kept(first.todo)?.name ?? first.mine
        screen.tell(.overwritten(name, besides: Set(all.map(\.todo)).count - 1))
        // Where that cannot be written down, it is told once more the next time.
        try? client.acknowledgeOverwritten()
    }

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

    func announcements(_ onChange: @escaping (Announcement?) -> Void) -> AnnouncementWatch {
        AnnouncementWatch(client, onChange: onChange)
    }

    /// What is left to be sent, in words; nil where nothing is.
    var leftover: String? {
        let refused = client.pendingChanges.count(where: \.isRefused)
        let waiting = client.pendingChanges.count - refused
        let parts = [
            waiting > 0
                ? "the server does not have \(waiting) of the changes yet: the next 'todomate watch' sends them" : nil,
            refused > 0 ? "\(refused) of the changes were refused: press ! in 'todomate watch' to see why" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
