import CommandArguments
import EventLoop
import Foundation

/// The append-only file of a redis-server, while that server does not run.
///
/// With `aof-load-truncated yes` a server that was killed in the middle of a write drops the half-written transaction from
/// memory and keeps it in the file: what is written next closes it, and a later start carries it out after all, without its
/// other half (https://github.com/valkey-io/valkey/pull/4342). `deploy/redis/repair-log` does the same in a container.
struct AppendOnlyFile {
    /// The folder with the file's parts and their manifest.
    private let folder: URL

    /// - Parameter directory: the server's `--dir`.
    init(in directory: String) {
        folder = URL(fileURLWithPath: directory).appending(path: DataDirectory.appendOnlyName)
    }

    /// What was cut off, and where it is kept.
    struct Repair {
        var bytes: Int
        var keptAs: String
    }

    /// The same as ``repair()``, with an error for people.
    @LoopActor
    func repaired() async throws -> Repair? {
        do {
            return try await repair()
        } catch {
            throw CommandError(
                "Redis's file in \(folder.path) cannot be repaired: \(error.localizedDescription)",
                exitCode: .ioError
            )
        }
    }

    /// Cuts off a transaction that a crash left half-written at the end, and keeps what it cut off beside the file.
    ///
    /// Where a whole transaction follows the damage, the file is left to Redis, which refuses it.
    ///
    /// - Returns: nil when there is nothing to cut off.
    /// - Throws: when the file cannot be written.
    @LoopActor
    func repair() async throws -> Repair? {
        let manifest = folder.appending(path: "appendonly.aof.manifest")
        let checks = ["redis-check-aof", "valkey-check-aof"]
        guard let check = checks.first(where: { ChildProcess.find($0) != nil }),
            let parts = try? String(contentsOf: manifest, encoding: .utf8),
            let damage = Self.damage(in: try await report(of: check, on: manifest)),
            // Where more follows, another file or a whole transaction, it is not the end that a crash left.
            parts.split(separator: "\n").last?.hasPrefix("file \(damage.name) ") == true
        else { return nil }
        let file = folder.appending(path: damage.name)
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: damage.end)
        let torn = try handle.readToEnd() ?? Data()
        guard !torn.isEmpty, torn.firstRange(of: Data("*1\r\n$4\r\nEXEC\r\n".utf8)) == nil else { return nil }
        let moment = Date().ISO8601Format().filter { $0 != "-" && $0 != ":" }
        let kept = folder.appending(path: "\(damage.name).torn-\(moment)")
        try torn.write(to: kept)
        try handle.truncate(atOffset: damage.end)
        return Repair(bytes: torn.count, keptAs: kept.path)
    }

    /// What `redis-check-aof` says; it ends with the file that is damaged.
    @LoopActor
    private func report(of program: String, on manifest: URL) async throws -> String {
        let pipe = Pipe()
        let check = try ChildProcess(program, [manifest.path], output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        // About 150 bytes for each part of the file: a pipe has room for those of 400, and Redis keeps few.
        guard await check.waitUntilEnded() != .exit(0) else { return "" }
        return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Where the sound part of the damaged file ends.
    private static func damage(in report: String) -> (name: String, end: UInt64)? {
        let facts = report.matches(of: /AOF analyzed: filename=(?<path>.*), size=\d+, ok_up_to=(?<end>\d+),/)
        guard let last = facts.last, let end = UInt64(last.end) else { return nil }
        return (URL(fileURLWithPath: String(last.path)).lastPathComponent, end)
    }
}
