import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// Accounts and sessions of tests, written into Redis as its functions would have, so that a token can be made without
/// asking anybody: always the same one for a user.
public enum TestSession {
    /// The Redis of the test that runs.
    @TaskLocal public static var folder: String?

    /// The folders of the nodes, in the order of their slots, where that is a cluster.
    @TaskLocal static var folders: [String] = []

    /// The generations of the accounts in memory, where the test that runs has them there.
    @TaskLocal public static var generations: [String: Int]?

    private static let generation = 1
    /// Everybody whom tests without a Redis know.
    private static let people = ["alice", "bob", "carol", "dave", "eve", "mallory"]

    /// Gives everybody an account and a session in a store.
    ///
    /// - Returns: the generations of the accounts.
    @LoopActor
    package static func beginAll(in store: any SessionStoreType) async throws -> [String: Int] {
        var generations: [String: Int] = [:]
        for uid in people {
            try await store.enroll(uid, passwordHash: "$nobody-knows-it")
            let draft = SessionDraft(id: id(of: uid), kind: .token, seconds: 86_400, name: "test")
            generations[uid] = try await store.begin(draft, of: uid)
        }
        return generations
    }

    /// The id of a user's session.
    public static func id(of uid: String) -> String {
        let text = Data(uid.utf8).base64EncodedString().filter { $0 != "=" && $0 != "/" && $0 != "+" }
        return String((text + String(repeating: "0", count: 22)).prefix(22))
    }

    /// Gives a user a session in the Redis of this test, and an account unless there is one; says nothing when that Redis is
    /// away.
    ///
    /// - Returns: the generation of the account.
    public static func begin(_ uid: String) -> Int {
        if let generations { return generations[uid] ?? generation }
        let slot = HashSlot.of("todomate:{\(uid)}")
        let node = folders.isEmpty ? folder : folders[slot * folders.count / HashSlot.count]
        guard let folder = node else { return generation }
        let (profile, sessions) = ("todomate:{\(uid)}:profile", "todomate:{\(uid)}:sessions")
        let lines = send(
            [
                ["HSETNX", profile, "password", "$nobody-knows-it"],
                ["HSETNX", profile, "generation", String(generation)],
                ["HSETNX", sessions, id(of: uid), #"{"kind":"token","made":1,"expires":99999999999,"name":"test"}"#],
                ["HGET", profile, "generation"],
            ],
            to: folder + "/redis.sock"
        )
        return lines.last.flatMap { Int($0) } ?? generation
    }

    /// Sends commands and returns the lines of the answers: one each, and two of the last.
    private static func send(_ commands: [[String]], to path: String) -> [String] {
        guard let descriptor = UnixSocket.connect(to: path) else { return [] }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let text = commands.map { words in
            "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        }.joined()
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { return [] }
        var (lines, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 512))
        while lines.count(where: { $0 == 0x0A }) <= commands.count {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return [] }
            lines += buffer[..<count]
        }
        return lines.split(separator: 0x0A).map { String(decoding: $0.filter { $0 != 0x0D }, as: UTF8.self) }
    }
}
