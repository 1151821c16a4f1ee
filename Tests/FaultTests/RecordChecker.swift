import TodoMate

/// Holds what readers were told against the promise: each version once and in order, no hole except across a snapshot,
/// nothing of anybody else, and one state for one id, in the whole run and whatever was lost in it.
struct RecordChecker {
    /// The bytes of each change, by user and id: all readers must have been told the same.
    private var told: [String: String] = [:]
    /// What was found to be its user's alone, after the user's name: to look through it takes a millisecond.
    private var isolated: Set<String> = []
    private var history = HistoryChecker()
    private var found: [String] = []
    var objections: [String] { found + history.objections }
    /// How many states were seen, each by its id.
    var states: Int { history.states }
    /// A history that ran further ahead of the clock than these microseconds comes back to it.
    private static let mostAhead = 60_000_000
    private(set) var changes = 0
    private(set) var snapshots = 0

    /// Checks one reader's events.
    mutating func check(_ record: StreamClient.Record, _ name: String) {
        var last: ChangeID?
        var seen: Set<String> = []
        var state = HistoryChecker.State()
        for event in record.events {
            checkIsolation(event, record.uid, name)
            guard let text = event.id, let id = ChangeID(text) else {
                found.append("\(name): an event without an id: \(event)")
                continue
            }
            if event.kind == "snapshot" {
                snapshots += 1
                last = id
                history.check(snapshot: event.data, id, of: record, &state, name)
                continue
            }
            changes += 1
            if !seen.insert(text).inserted { found.append("\(name): \(text) was told twice") }
            if record.day == nil { checkSame(event, text, record.uid, name) }
            history.check(change: event, id, of: record, &state, name)
            checkOrder(id, after: last, isFiltered: record.day != nil, name)
            last = id
        }
    }

    /// Checks the todos that a board was told of.
    mutating func check(board events: [SeenEvent], _ name: String) {
        for event in events { history.check(words: event.data, name) }
    }

    /// Checks the lines that a worker printed of its observers, `{"type":"reset",…}` among them.
    ///
    /// - Parameter people: whose accounts change as well, of which these lines tell nothing.
    mutating func check(lines: [String], accountsOf people: Set<String> = [], _ name: String) {
        var last: [String: ChangeID] = [:]
        var seen: Set<String> = []
        for line in lines {
            if let reset = line.firstMatch(of: /^\{"type":"reset","uid":"([^"]+)"\}$/) {
                last[String(reset.1)] = nil
                continue
            }
            guard let match = line.firstMatch(of: /^\{"id":"([^"]+)".*"uid":"([^"]+)"/),
                let id = ChangeID(String(match.1))
            else {
                found.append("\(name): printed something else: \(line)")
                continue
            }
            let uid = String(match.2)
            if !seen.insert("\(uid) \(id)").inserted { found.append("\(name): \(uid) \(id) was told twice") }
            if let last = last[uid] { checkOrder(id, after: last, isFiltered: people.contains(uid), "\(name) \(uid)") }
            last[uid] = id
            history.check(words: line, name)
        }
    }

    /// Checks the todos that a writer was answered with.
    mutating func check(told todos: [Todo], _ name: String) { for todo in todos { history.check(words: todo, name) } }

    private mutating func checkOrder(_ id: ChangeID, after last: ChangeID?, isFiltered: Bool, _ name: String) {
        guard let last else { return found.append("\(name): \(id) came before any snapshot") }
        let isNext = id.version == last.version + 1
        let isLater = id.microseconds > last.microseconds || last.microseconds - id.microseconds > Self.mostAhead
        // What a filter left out may have taken the history back to the clock.
        let isRight = isNext ? isLater : isFiltered && id.version > last.version
        if !isRight { found.append("\(name): \(id) came after \(last)") }
    }

    private mutating func checkSame(_ event: SeenEvent, _ id: String, _ uid: String, _ name: String) {
        let key = "\(uid) \(id)"
        if let other = told[key], other != event.kind + event.data {
            found.append("\(name): \(id) differs from what another reader was told")
        }
        told[key] = event.kind + event.data
    }

    /// Every todo says in its content whose it is.
    private mutating func checkIsolation(_ event: SeenEvent, _ uid: String, _ name: String) {
        guard !isolated.contains(uid + event.data) else { return }
        let before = found.count
        defer { if found.count == before { isolated.insert(uid + event.data) } }
        for match in event.data.matches(of: /"uid":"([^"]*)"|"content":"([^"!]*)!/) {
            let owner = match.1 ?? match.2 ?? ""
            if owner != uid { found.append("\(name): was told of \(owner): \(event.data)") }
        }
    }
}
