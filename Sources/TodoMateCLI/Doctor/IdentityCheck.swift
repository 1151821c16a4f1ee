import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// Looks for identities at providers that are said to belong to a user who knows nothing of them.
///
/// Each counts for nothing, but says who signed in by it: what is left where a removal was interrupted, or a new account refused.
@LoopActor
enum IdentityCheck {
    private static let topic = "identities"
    /// The most that are named.
    private static let mostNamed = 10
    /// An identity that is just being linked has its user's side sooner.
    private static let patience = Duration.milliseconds(250)

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        var suspects: [String] = []
        var scan = context.client.scan(TodoKeys.every(.identity))
        while let keys = try await scan.next() { suspects += try await ownerless(among: keys, context.client) }
        guard !suspects.isEmpty else { return [] }
        await LoopTimer.sleep(for: patience)
        let orphans = try await ownerless(among: suspects, context.client).sorted()
        // Their names have no other characters than a digest's.
        let findings = orphans.prefix(mostNamed).map { key in
            Finding.note(topic, "\(key) is of nobody: no user has that identity", "redis-cli DEL '\(key)'")
        }
        guard orphans.count > mostNamed else { return findings }
        return findings + [.note(topic, "\((orphans.count - mostNamed).grouped) more identities are of nobody")]
    }

    private static func ownerless(among keys: [String], _ client: RedisClient) async throws -> [String] {
        var found: [String] = []
        for key in keys {
            // Keys of another type are reported with all keys.
            guard case let (digest, .identity)? = TodoKeys.parts(of: key),
                try await client.send(RedisCommand("TYPE", key)).string == "hash"
            else { continue }
            let user = try await client.send(RedisCommand("HGET", key, "user")).string ?? ""
            if try await !has(digest, user, client) { found.append(key) }
        }
        return found
    }

    private static func has(_ digest: String, _ user: String, _ client: RedisClient) async throws -> Bool {
        guard (try? TodoBounds.uid(user)) != nil else { return false }
        let identities = TodoKeys.key(.identities, of: user)
        switch try await client.pipelined([RedisCommand("HEXISTS", identities, digest)]).first {
        case .integer(let count)?: return count == 1
        // What cannot be read may say so.
        default: return true
        }
    }
}
