import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateClient

/// The board on a terminal: view models and keys go in, frames and writes come out.
@LoopActor
final class BoardScreen {
    private let session: TerminalSession
    private let painter: ScreenPainter
    private let service: any TodoServiceType
    private let histories: any HistoryStoreType
    private let searches: any SearchStoreType
    private let relations: any RelationStoreType
    /// Whose board it is; nil for an operator's.
    private let viewer: String?
    private let routines: any RoutineStoreType
    private let readings: BoardReadings
    private let models: BoardModels
    private let people: KnownPeople
    private let language: BoardLanguage
    private let onQuit: () -> Void
    private var state: BoardState
    private var link = BoardLink()
    /// Counts down to the next attempt to connect.
    private var countdown: LoopTimer?
    /// What the server may not have of what was done here; nil where all of it is written at once.
    private weak var outbox: (any BoardOutbox)?
    private let settled = Waiters()
    /// How long the last changes may take before the board closes without them: they are kept, and sent the next time.
    private static let patience = Duration.seconds(10)
    private lazy var frames = FramePacer { [weak self] in self?.draw() }
    /// The writes go out one after the other, so that an undo never overtakes what it takes back.
    private var lastWrite: Task<Void, Never>?
    private var failedAtTheEnd = 0
    private var isClosing = false

    /// - Parameters:
    ///   - stores: Where all that stands which is not the todos themselves.
    ///   - users: Whose lists to show, at least one.
    ///   - viewer: Whose board it is, who changes no other list; nil for an operator's, who changes all.
    ///   - people: How the users are called.
    ///   - onQuit: Called when the user wants to leave, or the terminal is gone.
    init(
        terminal: Terminal,
        container: DIContainer,
        stores: PersonalStores,
        users: [String],
        viewer: String?,
        people: KnownPeople,
        language: BoardLanguage,
        onQuit: @escaping () -> Void
    ) {
        let size = terminal.size ?? TerminalSize(columns: 80, rows: 24)
        painter = ScreenPainter(size: size, styles: terminal.styleSupport) { terminal.write($0) }
        session = TerminalSession(terminal: terminal, painter: painter)
        service = container.todoService
        (histories, routines, searches) = (stores.histories, stores.routines, stores.searches)
        (relations, self.viewer) = (stores.relations, viewer)
        let realtime = container.todoRealtimeService
        readings = BoardReadings(stores, realtime)
        models = BoardModels(realtime, stores, users, viewer, people)
        state = BoardState(users: users.count, language: language)
        (self.people, self.language, self.onQuit) = (people, language, onQuit)
    }

    func open() {
        models.open()
        models.onChange = { [weak self] in self?.drawSoon() }
        readings.onChange = { [weak self] in self?.drawSoon() }
        people.onChange = { [weak self] in self?.drawSoon() }
        people.open()
        session.onKey = { [weak self] in self?.pressed($0) }
        session.onRedraw = { [weak self] _ in self?.draw() }
        session.onHangup = onQuit
        session.open()
        frames.open()
    }

    /// Waits for the writes that are under way, and gives the terminal back.
    ///
    /// - Returns: How many changes were not saved.
    func close() async -> Int {
        isClosing = true
        if state.unanswered > 0 || isSending {
            state.mode = .board
            state.notice = .savingBeforeQuit
            drawSoon()
        }
        await lastWrite?.value
        let deadline = ContinuousClock.now + Self.patience
        let timer = LoopTimer { [settled] in settled.resumeAll() }
        timer.start(after: Self.patience)
        while isSending, .now < deadline { await settled.wait { !isSending || .now >= deadline } }
        timer.cancel()
        abandon()
        readings.close()
        models.close()
        return failedAtTheEnd
    }

    /// Shows what an operator tells everybody.
    func show(_ announcement: Announcement?) {
        state.announcement = announcement
        drawSoon()
    }

    /// Whether something is on its way to a server that is there.
    private var isSending: Bool {
        link.isLive && outbox?.pendingChanges.contains { !$0.isRefused } ?? false
    }

    /// Takes note of what is written down before it is sent.
    func note(_ outbox: any BoardOutbox) {
        self.outbox = outbox
        settled.resumeAll()
        drawSoon()
    }

    /// Tells what was done here over what was done elsewhere.
    func tell(_ notice: BoardNotice) {
        state.notice = notice
        drawSoon()
    }

    /// Gives the terminal back at once.
    func abandon() {
        frames.close()
        countdown?.cancel()
        countdown = nil
        people.close()
        session.close()
    }

    /// How many changes are not saved yet.
    var unsaved: Int { state.unanswered }

    /// Takes note of the connection for commands.
    func note(_ change: RedisConnectionChange) { note(change, 0) }

    /// Takes note of the connection for messages.
    func noteSubscriber(_ change: RedisConnectionChange) { note(change, 1) }

    private func note(_ change: RedisConnectionChange, _ index: Int) {
        note { $0.note(change, index) }
        if change == .connected, index == 0 { people.read() }
    }

    /// Takes note of the connection to a server.
    ///
    /// - Parameter nextAttempt: when it is asked again; nil while that is not waited for.
    func note(_ status: ConnectionStatus, _ nextAttempt: ContinuousClock.Instant?) {
        note { $0.note(status, nextAttempt) }
        if nextAttempt != nil, !isClosing {
            countdown =
                countdown ?? LoopTimer.every(.seconds(1), of: self) { if $0.link.nextAttempt != nil { $0.drawSoon() } }
        }
        settled.resumeAll()
        if status == .live { people.read() }
    }

    private func note(_ body: (inout BoardLink) -> Void) {
        let before = link
        body(&link)
        if link != before { drawSoon() }
    }

    private func pressed(_ key: KeyPress) {
        guard !isClosing else { return }
        obey(state.press(key, models.content(outbox?.pendingChanges ?? [])))
        drawSoon()
    }

    private func obey(_ effects: [BoardEffect]) {
        for effect in effects {
            switch effect {
            case .write(let write): perform(write)
            case .read(let past, let change): read(past, before: change)
            case .find(let found, let place): find(found, after: place)
            case .retry(let change): send { (outbox) throws(TodoError) in try outbox.retry(change) }
            case .discard(let change): send { (outbox) throws(TodoError) in try outbox.discard(change) }
            case .hurry: outbox?.hurry()
            case .redraw: painter.invalidate()
            case .quit: onQuit()
            }
        }
    }

    private func send(_ body: (any BoardOutbox) throws(TodoError) -> Void) {
        do throws(TodoError) {
            if let outbox { try body(outbox) }
        } catch {
            state.notice = .notSaved(error)
        }
    }

    private func perform(_ write: BoardWrite) {
        lastWrite = Task { [service, routines, previous = lastWrite, weak self] in
            await previous?.value
            do throws(TodoError) {
                let placed = try await service.perform(write, routines)
                self?.finished(write, nil, placed: placed)
            } catch {
                self?.finished(write, error)
            }
        }
    }

    /// Behind the writes that are under way, so that it tells of them, too.
    private func read(_ past: BoardPast, before change: ChangeID?) {
        Task { [histories, lastWrite, weak self] in
            await lastWrite?.value
            let answer: Result<TodoHistory, TodoError>
            do throws(TodoError) {
                let found =
                    if let id = past.id {
                        try await histories.history(of: id, of: past.uid, before: change)
                    } else {
                        try await histories.removed(of: past.uid, before: change)
                    }
                answer = .success(found)
            } catch {
                answer = .failure(error)
            }
            self?.state.read(answer, of: past)
            self?.drawSoon()
        }
    }

    /// Behind the writes that are under way, so that it finds them, too.
    private func find(_ found: BoardFound, after place: SearchPlace?) {
        let today = models.content([]).today
        Task { [searches, relations, lastWrite, viewer, weak self] in
            await lastWrite?.value
            let isOwn = viewer ?? found.uid == found.uid
            let answer: Result<FoundTodos?, TodoError>
            var routines: [Todo] = []
            do throws(TodoError) {
                let part = try await searches.search(
                    found.search,
                    of: found.uid,
                    for: viewer ?? found.uid,
                    after: place,
                    limit: FoundTodos.most
                )
                if isOwn, place == nil {
                    routines = try await relations.nextRoutineDays(found.search, of: found.uid, today: today)
                }
                answer = .success(part)
            } catch {
                answer = .failure(error)
            }
            guard let self else { return }
            obey(state.take(answer, routines, of: found))
            drawSoon()
        }
    }

    private func finished(_ write: BoardWrite, _ error: TodoError?, placed: Todo? = nil) {
        if isClosing, error != nil { failedAtTheEnd += 1 }
        state.finished(write, error, placed: placed)
        drawSoon()
    }

    private func drawSoon() { frames.drawSoon() }

    private func draw() {
        let size = session.size
        let unsent = outbox?.pendingChanges ?? []
        var content = models.tracked(unsent)
        if models.show(CalendarMonth(containing: state.day(content))) { content = models.tracked(unsent) }
        models.showEarlier(than: content.today)
        state.follow(content)
        readings.show(state.mode, content)
        (content.week, content.reactors) = (readings.week, readings.reactors)
        var layout = BoardLayout(
            state: state,
            content: content,
            connection: link.connection(at: .now),
            hasKeys: session.hasKeys,
            language: language
        )
        if case .page(let page, let scroll) = state.mode {
            state.mode = .page(page, scroll: min(scroll, layout.lastScroll(of: page, size)))
            layout.state = state
        }
        let (lines, cursor) = layout.screen(size)
        painter.draw(lines, cursor: cursor)
    }
}
