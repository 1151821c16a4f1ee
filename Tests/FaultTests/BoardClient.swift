import EventLoop
import TestServers

/// Reads the stream of a board with somebody's eyes and comes back like a browser, whatever ended it.
@LoopActor
final class BoardClient {
    let viewer: String
    let owners: [String]
    private let source: EventSource
    private(set) var events: [SeenEvent] = []
    /// What its page would show.
    private(set) var view = BoardView()

    init(of owners: [String], viewer: String, port: Int, random: SeededRandom) {
        self.viewer = viewer
        self.owners = owners
        let target = "/v1/changes?users=\(owners.joined(separator: ","))&viewer=\(viewer)"
        source = EventSource(target, port: port, random: random)
        source.onEvent = { [weak self] event in
            self?.events.append(event)
            self?.view.apply(event)
        }
    }

    func start() { source.connect() }
    func stop() { source.stop() }
    func drop() { source.drop() }

    /// What is shown otherwise than the viewer may see it at this moment.
    func disagreements(with shares: [String: BoardView.Share]) -> [String] {
        view.disagreements(with: shares, of: owners).map { "a board of \(viewer) shows \($0)" }
    }
}
