import EventLoop
import Foundation
import TodoMate

/// What a device keeps from one run to the next: the base, which is what the server showed, and the outbox, which is what was done here.
///
/// Each method is one transaction. A program that is killed between any two of them finds, at its next start, a base that belongs to
/// its cursor, and everything in the outbox that was ever shown as done.
@LoopActor
final class OfflineStorage: BoardStorage, AnswerStorage {
    private static let schema = [
        "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS shares (uid TEXT PRIMARY KEY, access TEXT, id TEXT) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS todos (uid TEXT, id TEXT, json TEXT, PRIMARY KEY (uid, id)) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY, json TEXT)",
        "CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, body TEXT)",
        "CREATE TABLE IF NOT EXISTS told (number INTEGER PRIMARY KEY AUTOINCREMENT, json TEXT)",
    ]
    private static let version = "1"

    private let database: SQLiteDatabase
    /// Called before each transaction is done, so that tests can end the program there.
    var beforeCommit: () throws(TodoError) -> Void = { () throws(TodoError) in }

    /// - Parameters:
    ///   - path: the file.
    ///   - owner: whose it is, and on which server: nothing of anybody else's is taken for it.
    ///   - waitsForDisk: whether what was written outlives the device, and not only the program.
    init(_ path: String, of owner: String, waitsForDisk: Bool = true) throws(TodoError) {
        database = try SQLiteDatabase(path, waitsForDisk: waitsForDisk)
        let known = try create()
        guard known["version"] ?? Self.version == Self.version else {
            throw .unavailable("\(path) was written by a newer version: update this program")
        }
        guard known["owner"] ?? owner == owner else {
            throw .unavailable("\(path) is of \(known["owner"] ?? ""): give \(owner) another file")
        }
        try write { () throws(TodoError) in
            try set("version", Self.version)
            try set("owner", owner)
        }
    }

    /// Lets go of the file.
    func close() { database.close() }

    private func create() throws(TodoError) -> [String: String] {
        var known: [String: String] = [:]
        try database.transaction { () throws(TodoError) in
            for table in Self.schema { try database.run(table) }
            try database.run("SELECT name, value FROM meta") { row in
                if let name = row[0] { known[name] = row[1] }
            }
        }
        return known
    }

    private func write(_ body: () throws(TodoError) -> Void) throws(TodoError) {
        try database.transaction { () throws(TodoError) in
            try body()
            try beforeCommit()
        }
    }

    private func set(_ name: String, _ value: String?) throws(TodoError) {
        try database.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", [name, value])
    }

    // MARK: The base

    /// What was kept; nothing of what cannot be read, which is then asked of the server again.
    var board: StoredBoard { (try? readBoard()) ?? StoredBoard() }

    private func readBoard() throws(TodoError) -> StoredBoard {
        var board = StoredBoard()
        try database.run("SELECT value FROM meta WHERE name = 'cursor'") { board.cursor = $0[0] }
        var heads: [(String, Access, ChangeID)] = []
        try database.run("SELECT uid, access, id FROM shares") { row in
            guard let uid = row[0], let access = row[1].flatMap({ Access(rawValue: $0) }),
                let id = row[2].flatMap({ ChangeID($0) })
            else { return }
            heads.append((uid, access, id))
        }
        for (uid, access, id) in heads {
            var (todos, isWhole) = ([Todo](), true)
            try database.run("SELECT json FROM todos WHERE uid = ?", [uid]) { row in
                if let todo = row[0].flatMap({ try? TodoRecord(json: Array($0.utf8)).todo }) {
                    todos.append(todo)
                } else {
                    isWhole = false
                }
            }
            guard isWhole else { throw .broken("what was kept of \(uid) cannot be read") }
            board.shares[uid] = MirroredShare(access, TodoSnapshot(id: id, todos: todos))
        }
        return board
    }

    func begin(_ uid: String, _ share: MirroredShare, _ cursor: String?) throws(TodoError) {
        try write { () throws(TodoError) in
            try database.run("DELETE FROM todos WHERE uid = ?", [uid])
            for todo in share.todos.values { try put(todo, of: uid) }
            try head(uid, share.access, share.id)
            if let cursor { try set("cursor", cursor) }
            if share.access == .own { try set("replaced", "1") }
        }
    }

    /// Whether the own base was replaced since the outbox last heard of that; as well where nobody knows.
    var isReplaced: Bool {
        var value: String?
        try? database.run("SELECT value FROM meta WHERE name = 'replaced'") { value = $0[0] }
        return value != "0"
    }

    /// The outbox has heard of it; what cannot be written down is heard of once more at the next start.
    func noteReplacement() {
        try? write { () throws(TodoError) in try set("replaced", "0") }
    }

    func apply(
        _ uid: String,
        _ todo: String?,
        _ state: Todo?,
        _ id: ChangeID,
        _ cursor: String?
    ) throws(TodoError) {
        try write { () throws(TodoError) in
            if let state {
                try put(state, of: uid)
            } else if let todo {
                try database.run("DELETE FROM todos WHERE uid = ? AND id = ?", [uid, todo])
            }
            try database.run("UPDATE shares SET id = ? WHERE uid = ?", [id.description, uid])
            if let cursor { try set("cursor", cursor) }
        }
    }

    func reached(_ cursor: String?) throws(TodoError) {
        try write { () throws(TodoError) in try set("cursor", cursor) }
    }

    func forget(_ uid: String) throws(TodoError) {
        try write { () throws(TodoError) in
            try database.run("DELETE FROM todos WHERE uid = ?", [uid])
            try database.run("DELETE FROM shares WHERE uid = ?", [uid])
        }
    }

    private func put(_ todo: Todo, of uid: String) throws(TodoError) {
        let values = [uid, todo.id, TodoDTO(todo).json]
        try database.run("INSERT OR REPLACE INTO todos (uid, id, json) VALUES (?, ?, ?)", values)
    }

    private func head(_ uid: String, _ access: Access, _ id: ChangeID) throws(TodoError) {
        let values = [uid, access.rawValue, id.description]
        try database.run("INSERT OR REPLACE INTO shares (uid, access, id) VALUES (?, ?, ?)", values)
    }

    // MARK: Answers

    /// The most answers that are kept: those about all whom one board shows, and some.
    private static let mostAnswers = 300

    func answer(to question: String) -> Data? {
        var answer: Data?
        try? database.run("SELECT body FROM answers WHERE name = ?", [question]) {
            answer = $0[0].map { Data($0.utf8) }
        }
        return answer
    }

    /// What cannot be kept is asked again: nothing of it was typed here.
    func keep(_ answer: Data, for question: String) {
        guard let text = String(data: answer, encoding: .utf8) else { return }
        try? write { () throws(TodoError) in
            try database.run("INSERT OR REPLACE INTO answers (name, body) VALUES (?, ?)", [question, text])
            try database.run(
                "DELETE FROM answers WHERE number <= (SELECT MAX(number) FROM answers) - \(Self.mostAnswers)"
            )
        }
    }

    // MARK: The outbox

    /// What was kept.
    ///
    /// - Throws: ``TodoError`` where it cannot be read: nothing that was typed may be passed over.
    func outbox() throws(TodoError) -> Outbox {
        var (entries, broken) = ([OutboxEntry](), 0)
        try database.run("SELECT json FROM outbox ORDER BY number") { row in
            if let entry = row[0].flatMap({ StoredEntry.entry(of: $0) }) { entries.append(entry) } else { broken += 1 }
        }
        guard broken == 0 else { throw .broken("\(broken) of the changes that wait to be sent cannot be read") }
        return Outbox(entries)
    }

    /// Writes down what an outbox has decided.
    func write(_ steps: [Outbox.Step]) throws(TodoError) {
        guard !steps.isEmpty else { return }
        try write { () throws(TodoError) in
            for step in steps {
                switch step {
                case .put(let entry):
                    let values = [String(entry.number), StoredEntry.json(of: entry)]
                    try database.run("INSERT OR REPLACE INTO outbox (number, json) VALUES (?, ?)", values)
                case .drop(let number): try database.run("DELETE FROM outbox WHERE number = ?", [String(number)])
                case .tell(let overwritten):
                    try database.run("INSERT INTO told (json) VALUES (?)", [StoredEntry.json(of: overwritten)])
                }
            }
        }
    }

    /// What was overwritten, and the person has not been told yet.
    func told() throws(TodoError) -> [Overwritten] {
        var all: [Overwritten] = []
        try database.run("SELECT json FROM told ORDER BY number") { row in
            if let one = row[0].flatMap({ try? JSONDecoder().decode(Overwritten.self, from: Data($0.utf8)) }) {
                all.append(one)
            }
        }
        return all
    }

    /// The person has been told of all.
    func forgetTold() throws(TodoError) { try write { () throws(TodoError) in try database.run("DELETE FROM told") } }
}
