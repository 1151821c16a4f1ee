import EventLoop
public import Foundation
public import TodoMate

extension TodoClient {
    /// What waits in a file that no client has open, as ``pendingChanges``.
    ///
    /// - Parameters:
    ///   - path: the file; without one nothing waits.
    ///   - uid: whose it is.
    ///   - url: the server whose todos are in it.
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when the file cannot be used, as while a client has it open,
    ///   ``/TodoMate/TodoError/broken(_:)`` when what waits in it cannot be read.
    public static func pendingChanges(
        keptIn path: String,
        of uid: String,
        at url: URL
    ) throws(TodoError) -> [PendingChange] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let storage = try OfflineStorage(path, of: "\(uid) at \(url.absoluteString)")
        defer { storage.close() }
        return try storage.outbox().entries.compactMap { PendingChange($0, of: uid) }
    }

    /// Removes a file with all that was kept in it, as is to be done when the person signs out; nothing where there is none.
    ///
    /// - Parameter path: the file, which no client has open any more.
    /// - Throws: ``/TodoMate/TodoError/unavailable(_:)`` when it cannot be removed.
    public static func removeFile(_ path: String) throws(TodoError) { try SQLiteDatabase.remove(path) }
}
