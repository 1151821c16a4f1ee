import Foundation
import TodoMate

@testable import TodoMateClient

/// A server as clients see it, of one person's todos, in a few lines: versions without holes, a log, and each key done once.
struct ModelServer {
    private(set) var todos: [String: Todo] = [:]
    private(set) var latest = ChangeID.zero
    /// What each change left of its todo; nil for gone.
    private(set) var log: [(id: ChangeID, todo: String, state: Todo?)] = []
    /// The changes that added a todo.
    private var additions: Set<ChangeID> = []
    private var done: [String: (intent: OutboxEntry.Intent, outcome: Outbox.Outcome)] = [:]
    /// What is done every day; of it the days that were made or left out are known.
    private(set) var settings = ModelServer.daily
    /// Microseconds since 1970, which may jump.
    private(set) var clock = 1_000_000
    /// Before this the clock does not jump back: what happens in a history happens later than what it replaced.
    private var earliest = 0

    /// The texts that were ever stored in this history.
    private(set) var texts: Set<String> = []
    /// How often each key was done in this history.
    private(set) var times: [String: Int] = [:]
    /// The keys of todos that were added.
    private(set) var adds: Set<String> = []

    /// The days of the routine that a person looks at.
    static let days = ["r--19000102", "r--19000103", "r--19000104"]

    private static var daily: AccountSettings {
        let routine = #"{"id":"r","content":"Run","rule":"FREQ=DAILY","from":"1900-01-01","position":1}"#
        let all =
            #"{"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0,"routines":[\#(routine)]}"#
        guard let settings = try? JSONDecoder().decode(AccountSettings.self, from: Data(all.utf8)) else {
            preconditionFailure("these are settings")
        }
        return settings
    }

    /// Forgets the keys, as after a day.
    mutating func forgetKeys() { done = [:] }

    /// What became of an add that was done before; nil where the log does not say that it was.
    private func outcome(of request: Outbox.Request) -> Outbox.Outcome? {
        guard case .add(let draft) = request.intent, let since = request.repeatedSince else { return nil }
        let entries = log.filter { $0.todo == request.todo && $0.id.isLater(than: since) }
        let isDone = entries.contains { additions.contains($0.id) && $0.state.map(draft.isWritten) == true }
        guard isDone, let newest = entries.last?.id else { return nil }
        return todos[request.todo].map { .unchanged($0) } ?? .written(newest, nil)
    }

    /// Does a request, unless it was done before.
    mutating func take(_ request: Outbox.Request) -> Outbox.Outcome {
        if let known = outcome(of: request) { return known }
        if let known = done[request.key] {
            guard known.intent == request.intent else { return .refused(.invalid("the key is another request's")) }
            // They are read anew: as they are by now.
            if case .settled = known.outcome { return .settled(settings) }
            return known.outcome
        }
        let outcome = apply(request)
        switch outcome {
        case .written:
            done[request.key] = (request.intent, outcome)
            times[request.key, default: 0] += 1
            if case .add = request.intent { adds.insert(request.key) }
        case .unchanged, .settled: done[request.key] = (request.intent, outcome)
        default: break
        }
        return outcome
    }

    private mutating func apply(_ request: Outbox.Request) -> Outbox.Outcome {
        let stored = todos[request.todo]
        if let stored, let revision = request.revision, !revision.matches(stored) { return .conflict(stored) }
        switch request.intent {
        case .add(let draft):
            if let stored {
                return draft.isWritten(in: stored) ? .unchanged(stored) : .exists(stored)
            }
            var todo = draft.todo(of: "alice", made: .distantPast)
            (todo.createdAt, todo.updatedAt) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 0))
            return write(todo)
        case .edit(let patch):
            guard let stored else {
                guard request.revision?.number ?? 0 == 0, let unmade = settings.unmade(request.todo) else {
                    return .missing("gone")
                }
                settings.noteMade(request.todo)
                return write(patch.applied(to: unmade))
            }
            let todo = patch.applied(to: stored)
            return todo == stored ? .unchanged(stored) : write(todo)
        case .remove:
            guard stored != nil else { return .missing("gone") }
            todos[request.todo] = nil
            return .written(log(request.todo, nil), nil)
        case .skip(let isBack):
            guard !isBack || stored == nil else { return .unneeded }
            if isBack { settings.noteTakenBack(request.todo) } else { settings.noteMade(request.todo) }
            return .settled(settings)
        }
    }

    private mutating func write(_ todo: Todo) -> Outbox.Outcome {
        var todo = todo
        let id = next
        (todo.revision, todo.micros) = (id.version, id.microseconds)
        if todo.position == TodoBounds.largestPosition { todo.position = Double(id.version) }
        texts.insert(todo.content)
        texts.insert(todo.detail)
        if todos.updateValue(todo, forKey: todo.id) == nil { additions.insert(id) }
        return .written(log(todo.id, todo), todo)
    }

    /// Later than the change before, whatever the clock says; as in Redis, no change of a history that was replaced has the same.
    private var next: ChangeID {
        let step = clock > latest.microseconds ? clock - latest.microseconds : 1 + abs(clock) % 65536
        return ChangeID(version: latest.version + 1, microseconds: latest.microseconds + step)
    }

    private mutating func log(_ todo: String, _ state: Todo?) -> ChangeID {
        latest = next
        clock += 10
        log.append((latest, todo, state))
        return latest
    }

    mutating func jump(by microseconds: Int) { clock = max(clock + microseconds, earliest) }

    /// Goes back to what it was: a backup that was brought in. What was stored since is lost, and its clock goes on.
    mutating func restore(_ backup: ModelServer) {
        let now = max(clock, latest.microseconds) + 1000
        self = backup
        (clock, earliest) = (now, now)
    }
}
