import EventLoop
import Foundation
import TodoMate

@testable import TodoMateClient

/// A device in a model: the outbox, the base and the file are the real ones, and what comes and goes is up to the test.
@LoopActor
final class ModelDevice {
    struct Killed: Error {}

    let name: String
    private let path: String
    private var storage: OfflineStorage?
    private(set) var outbox = Outbox()
    private(set) var share: MirroredShare?
    /// The settings as the server told them last.
    private var settings = ModelServer().settings
    /// Requests that were sent and not answered.
    private(set) var onTheirWay: [Outbox.Request] = []
    /// How many of the next transactions are still done before the device is killed in the middle of one; nil for no end.
    var commitsLeft: Int?
    /// What was typed and is not superseded by the same device.
    private(set) var typed: [String: Set<String>] = [:]
    /// The texts that its base has had: what is lost of them later is not the outbox's to know.
    private(set) var reached: Set<String> = []

    init(_ name: String, in folder: String) throws {
        (self.name, path) = (name, "\(folder)/\(name).sqlite")
        try start()
    }

    /// Begins with what the file has.
    func start() throws {
        storage = nil
        let storage = try OfflineStorage(path, of: "alice", waitsForDisk: false)
        storage.beforeCommit = { [weak self] () throws(TodoError) in
            guard let self, let left = commitsLeft else { return }
            commitsLeft = left - 1
            if left <= 0 { throw .unavailable("killed") }
        }
        self.storage = storage
        outbox = try storage.outbox()
        share = storage.board.shares["alice"]
        onTheirWay = []
        // As a program does that starts: what the base has reached goes.
        if let share { try perform { $0.baseMoved(to: share.id, base: share.todos, isReplaced: true) } }
    }

    private func kept() throws -> OfflineStorage {
        guard let storage else { throw Killed() }
        return storage
    }

    private func perform(_ body: (inout Outbox) throws(TodoError) -> [Outbox.Step]) throws {
        var next = outbox
        let steps = try body(&next)
        do {
            try kept().write(steps)
        } catch {
            throw Killed()
        }
        outbox = next
    }

    var base: [String: Todo] { share?.todos ?? [:] }

    /// The todos as they are shown.
    var shown: [String: Todo] {
        var shown: [String: Todo] = [:]
        for id in Set(base.keys).union(outbox.todos) { shown[id] = outbox.projected(id, on: base[id], of: "alice") }
        return shown
    }

    /// The days of the routine on which something is left to do, as they are shown.
    var unmade: [Todo] {
        let (settings, shown) = (outbox.projected(settings), shown)
        return ModelServer.days.compactMap { shown[$0] == nil ? settings.unmade($0) : nil }
    }

    /// Takes what the server says of the settings, which may be older than the base.
    private func learn(_ told: AccountSettings) {
        settings = told
        for id in base.keys { settings.noteMade(id) }
    }

    var refused: [OutboxEntry] { outbox.entries.filter(\.isRefused) }
    func told() throws -> [Overwritten] { try kept().told() }

    // MARK: The person

    func add(_ id: String, _ text: String, _ key: String) throws {
        let draft = TodoDraft(date: CalendarDate.earliest, content: text)
        try perform { (outbox) throws(TodoError) in
            try outbox.add(draft, id, key: key, at: Date(timeIntervalSince1970: 0))
        }
        typed[id, default: []].insert(text)
    }

    func edit(_ todo: Todo, _ patch: TodoPatch, _ key: String) throws {
        try perform { (outbox) throws(TodoError) in
            try outbox.edit(patch, todo, key: key, at: Date(timeIntervalSince1970: 0))
        }
        // What the same person types over on the same device is gone by their own will.
        if let text = patch.content { typed[todo.id, default: []] = [text] }
        if let text = patch.detail { typed[todo.id + " detail"] = [text] }
    }

    func remove(_ todo: Todo, _ key: String) throws {
        try perform { (outbox) throws(TodoError) in
            try outbox.remove(todo, key: key, at: Date(timeIntervalSince1970: 0))
        }
        typed[todo.id] = nil
        typed[todo.id + " detail"] = nil
    }

    func skip(_ todo: Todo, isBack: Bool, _ key: String) throws {
        try perform { (outbox) throws(TodoError) in
            try outbox.skip(todo, isBack: isBack, key: key, at: Date(timeIntervalSince1970: 0))
        }
    }

    /// Has the days again that are shown nowhere, one of them.
    func takeBack(_ key: String) throws {
        let (settings, shown) = (outbox.projected(settings), shown)
        guard let id = ModelServer.days.first(where: { settings.unmade($0) == nil && shown[$0] == nil }),
            let todo = ModelServer().settings.unmade(id)
        else { return }
        try skip(todo, isBack: true, key)
    }

    func retry(_ entry: OutboxEntry, _ key: String) throws {
        try perform { $0.retry(entry.number, key: key, base: self.base) }
    }

    func discard(_ entry: OutboxEntry) throws {
        try perform { $0.discard(entry.number) }
        for id in typed.keys { typed[id]?.subtract(entry.texts) }
    }

    // MARK: The network

    /// Sends one request, if there is one.
    @discardableResult
    func send() throws -> Bool {
        guard share != nil else { return false }
        var request: Outbox.Request?
        try perform { outbox in
            let (next, steps) = outbox.next(base: self.base, besides: [], reached: self.share?.id ?? .zero)
            request = next
            return steps
        }
        guard let request else { return false }
        onTheirWay.append(request)
        return true
    }

    /// Takes a request off the wire.
    func takeRequest(_ index: Int) -> Outbox.Request { onTheirWay.remove(at: index) }

    func answer(_ request: Outbox.Request, _ outcome: Outbox.Outcome) throws {
        if case .settled(let settings) = outcome { learn(settings) }
        try perform { $0.answered(request.number, outcome, reached: self.share?.id ?? .zero) }
    }

    /// Takes some of what the server has to tell: changes that it missed, or a snapshot.
    func follow(_ server: ModelServer, most: Int) throws {
        let place = share.flatMap { known in
            known.id == .zero && server.log.isEmpty ? 0 : server.log.firstIndex { $0.id == known.id }.map { $0 + 1 }
        }
        guard let place, var share else { return try begin(server) }
        for change in server.log[place...].prefix(most) {
            guard share.take(change.id, change.todo, change.state) == .applied else { return try begin(server) }
            do {
                try kept().apply("alice", change.todo, change.state, change.id, "c\(change.id)")
            } catch {
                throw Killed()
            }
            self.share = share
            note(server)
            settings.noteMade(change.todo)
            try perform { $0.baseMoved(to: share.id, base: share.todos) }
        }
        if share.id == server.latest { learn(server.settings) }
    }

    private func note(_ server: ModelServer) {
        for todo in base.values { reached.formUnion([todo.content, todo.detail]) }
        if share?.id == server.latest { reached.formUnion(server.texts) }
    }

    private func begin(_ server: ModelServer) throws {
        let now = MirroredShare(.own, TodoSnapshot(id: server.latest, todos: Array(server.todos.values)))
        do {
            try kept().begin("alice", now, "c\(now.id)")
        } catch {
            throw Killed()
        }
        share = now
        learn(server.settings)
        note(server)
        try perform { $0.baseMoved(to: now.id, base: now.todos, isReplaced: true) }
    }
}

extension OutboxEntry {
    /// What was typed in it.
    var texts: [String] {
        switch intent {
        case .add(let draft): [draft.content, draft.detail]
        case .edit(let patch): [patch.content, patch.detail].compactMap(\.self)
        case .remove, .skip: []
        }
    }
}
