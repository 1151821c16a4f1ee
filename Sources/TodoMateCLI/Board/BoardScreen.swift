import EventLoop
import Foundation
import Observation
import RedisClient
import TodoMate

/// Shows view models on a terminal, redrawn in place whenever one of them changes.
@LoopActor
final class BoardScreen {
    private let terminal: Terminal
    private let painter: ScreenPainter
    private let lists: [TodoListViewModel]
    private let month: TodosInMonthViewModel?
    private var connection = "connecting …"
    private var drawIsDue = false
    /// Whether the models are registered with to hear of their next change; each registration stays until then.
    private var isTracking = false
    private var resize: SignalWatch?

    /// - Parameter month: the calendar, when there is one list alone.
    init(terminal: Terminal, lists: [TodoListViewModel], month: TodosInMonthViewModel?) {
        self.terminal = terminal
        self.lists = lists
        self.month = month
        painter = ScreenPainter(size: terminal.size ?? TerminalSize(columns: 80, rows: 24)) { terminal.write($0) }
    }

    func open() {
        painter.open()
        resize = SignalWatch(SIGWINCH) { [weak self] in
            guard let self, let size = terminal.size else { return }
            painter.resize(to: size)
            draw()
        }
        draw()
    }

    func close() {
        resize?.cancel()
        painter.close()
    }

    func note(_ change: RedisConnectionChange) {
        let text =
            switch change {
            case .connected: "live"
            case .failed(.refused(let endpoint, let reason)): "\(endpoint) refuses: \(reason)"
            case .lost, .failed: "waiting for Redis …"
            }
        guard text != connection else { return }
        connection = text
        drawSoon()
    }

    /// Several changes of one turn make one frame.
    private func drawSoon() {
        guard !drawIsDue else { return }
        drawIsDue = true
        LoopActor.atEndOfTurn { [weak self] in self?.draw() }
    }

    private func draw() {
        drawIsDue = false
        // The calendar follows the list over the end of the month.
        if let month, let today = lists.first?.date { month.show(CalendarMonth(containing: today)) }
        let size = terminal.size ?? TerminalSize(columns: 80, rows: 24)
        painter.draw(trackedLayout().lines(size, style: terminal.styleSupport))
    }

    /// What is to be drawn; a change of what it shows draws anew.
    private func trackedLayout() -> BoardLayout {
        guard !isTracking else { return layout }
        isTracking = true
        return withObservationTracking {
            layout
        } onChange: { [weak self] in
            // Called before the change, and the models change on the loop alone.
            LoopActor.assumeIsolated {
                self?.isTracking = false
                self?.drawSoon()
            }
        }
    }

    private var layout: BoardLayout {
        BoardLayout(
            columns: lists.map { TodayColumn(uid: $0.uid, date: $0.date, todos: $0.todos, phase: $0.phase) },
            month: month.flatMap { month in
                lists.first.map { MonthPage(month: month.month, cells: month.grid, today: $0.date) }
            },
            status: "\(connection) · Ctrl-C quits"
        )
    }
}
