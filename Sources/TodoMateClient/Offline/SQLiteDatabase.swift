import Foundation
import TodoMate

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// Makes a file that nobody else can read, where there is none.
private func makePrivateFile(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
}

/// A file of SQLite, used by one program at a time.
///
/// Calls are short and return when what they wrote is on the disk: an app's loop may wait for that, which a server's may not.
final class SQLiteDatabase {
    // A C pointer, which this object alone uses and closes; nil once it is closed.
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file, or makes one; nobody else has it open until this object is gone.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - waitsForDisk: whether what was written outlives the device, and not only the program.
    /// - Throws: ``TodoError/unavailable(_:)`` where that cannot be.
    init(_ path: String, waitsForDisk: Bool = true) throws(TodoError) {
        var handle: OpaquePointer?
        // A new one is for nobody else to read; SQLite gives its other files the same mode. One that is there is not opened here:
        // closing it again would give up the locks of whoever has it open in this program.
        makePrivateFile(path)
        let code = sqlite3_open_v2(
            path,
            &handle,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
            nil
        )
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw .unavailable("\(path) cannot be opened: \(String(cString: sqlite3_errstr(code)))")
        }
        self.handle = handle
        // A second program is told at once.
        let pragmas = ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=\(waitsForDisk ? "FULL" : "OFF")"]
        do throws(TodoError) {
            for pragma in pragmas { try run("PRAGMA \(pragma)") }
            try transaction { () throws(TodoError) in }
        } catch {
            guard sqlite3_errcode(handle) == SQLITE_BUSY else { throw error }
            throw .unavailable("\(path) is in use by another program, which has to end first")
        }
    }

    deinit { close() }

    /// Removes a file and all that belongs to it; nothing where there is none.
    static func remove(_ path: String) throws(TodoError) {
        // What was written last stands in the log, without which the file is older, so it goes last.
        for name in [path, path + "-shm", path + "-journal", path + "-wal"] where unlink(name) != 0 && errno != ENOENT {
            throw .unavailable("\(name) cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    /// Lets go of the file; whatever is asked afterwards fails.
    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Does all of it, or nothing.
    func transaction(_ body: () throws(TodoError) -> Void) throws(TodoError) {
        try run("BEGIN IMMEDIATE")
        do throws(TodoError) {
            try body()
            try run("COMMIT")
        } catch {
            // A statement that failed for want of room has ended it already.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: the statement, with a question mark for each value.
    ///   - values: what stands there; nil for NULL.
    ///   - row: called with the texts of each row that is found.
    func run(_ sql: String, _ values: [String?] = [], row: ([String?]) -> Void = { _ in }) throws(TodoError) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            var text = value
            let code = text.withUTF8 { bytes in
                Self.bind(statement, Int32(index + 1), bytes)
            }
            guard code == SQLITE_OK else { throw failure(code) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                row(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) }
                    }
                )
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    private func prepared(_ sql: String) throws(TodoError) -> OpaquePointer {
        guard handle != nil else { throw .unavailable("what is kept on this device was closed") }
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        statements[sql] = statement
        return statement
    }

    private static func bind(
        _ statement: OpaquePointer,
        _ place: Int32,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        bytes.withMemoryRebound(to: CChar.self) { text in
            #if canImport(SQLite3)
                // SQLITE_TRANSIENT, which is a cast in C: SQLite copies the text.
                sqlite3_bind_text(
                    statement,
                    place,
                    text.baseAddress,
                    Int32(text.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                )
            #else
                todomate_bind_text(statement, place, text.baseAddress, Int32(text.count))
            #endif
        }
    }

    private func failure(_ code: Int32) -> TodoError {
        let reason = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        return .unavailable("what is kept on this device could not be read or written: \(reason)")
    }
}
