import TodoMate

/// Holds what a reader was told against the promise: each version once and in order, no hole except across a snapshot,
/// and nothing of anybody else.
struct RecordChecker {
    /// The bytes of each change, by user and id: all readers must have been told the same.
    private var told: [String: String] = [:]
    private(set) var objections: [String] = []
    private(set) var changes = 0
    private(set) var snapshots = 0

    /// Checks one reader's events.
    mutating func check(_ record: StreamClient.Record, _ name: String) {
        var last: ChangeID?
        var seen: Set<String> = []
        for event in record.events {
            checkIsolation(event, record.uid, name)
            guard let text = event.id, let id = ChangeID(text) else {
                objections.append("\(name): an event without an id: \(event)")
                continue
            }
            if event.kind == "snapshot" {
                snapshots += 1
                last = id
                continue
            }
            changes += 1
            if !seen.insert(text).inserted { objections.append("\(name): \(text) was told twice") }
            if record.day == nil { checkSame(event, text, record.uid, name) }
            checkOrder(id, after: last, isFiltered: record.day != nil, name)
            last = id
        }
    }

    /// Checks the lines that a worker printed of its observers, `{"type":"reset",…}` among them.
    mutating func check(lines: [String], _ name: String) {
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
                objections.append("\(name): printed something else: \(line)")
                continue
            }
            let uid = String(match.2)
            if !seen.insert("\(uid) \(id)").inserted { objections.append("\(name): \(uid) \(id) was told twice") }
            if let last = last[uid] { checkOrder(id, after: last, isFiltered: false, "\(name) \(uid)") }
            last[uid] = id
        }
    }

    private mutating func checkOrder(_ id: ChangeID, after last: ChangeID?, isFiltered: Bool, _ name: String) {
        guard let last else { return objections.append("\(name): \(id) came before any snapshot") }
        let isNext = isFiltered ? id.version > last.version : id.version == last.version + 1
        if !isNext || id.microseconds <= last.microseconds { objections.append("\(name): \(id) came after \(last)") }
    }

    private mutating func checkSame(_ event: SeenEvent, _ id: String, _ uid: String, _ name: String) {
        let key = "\(uid) \(id)"
        if let other = told[key], other != event.kind + event.data {
            objections.append("\(name): \(id) differs from what another reader was told")
        }
        told[key] = event.kind + event.data
    }

    /// Every todo says in its content whose it is.
    private mutating func checkIsolation(_ event: SeenEvent, _ uid: String, _ name: String) {
        for match in event.data.matches(of: /"uid":"([^"]*)"|"content":"([^"!]*)!/) {
            let owner = match.1 ?? match.2 ?? ""
            if owner != uid { objections.append("\(name): was told of \(owner): \(event.data)") }
        }
    }
}
