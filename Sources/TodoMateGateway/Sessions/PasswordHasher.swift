import CSodium
import Dispatch
import Synchronization

/// Hashes passwords with argon2id (RFC 9106) by libsodium, off the loop and only a few at a time.
///
/// Each hash takes 64 MiB and a good part of a second by design, so that many guesses cost much; the bounds keep many
/// logins at once from taking all memory, and from making each other wait for minutes.
public final class PasswordHasher: Sendable {
    private struct Work {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let parallel: Int
    private let mostWaiting: Int
    private let work = Mutex(Work())
    private let queue = DispatchQueue(label: "todomate.passwords", attributes: .concurrent)

    /// - Parameters:
    ///   - parallel: how many hashes are computed at a time.
    ///   - mostWaiting: how many more may wait for their turn.
    public init(parallel: Int = 2, mostWaiting: Int = 64) {
        self.parallel = parallel
        self.mostWaiting = mostWaiting
    }

    /// The hash of a password, salt and parameters included; nil when memory is short or too many wait.
    public func hash(_ password: String) async -> String? { await run { Self.hash(password) } ?? nil }

    /// Whether a password is the one that a hash was made of; nil when too many wait.
    ///
    /// - Parameters:
    ///   - password: what somebody typed.
    ///   - hash: nil for a user who is not there: the answer is no, after the same time.
    public func verify(_ password: String, against hash: String?) async -> Bool? {
        await run {
            guard let stored = hash ?? Self.nobody else { return false }
            return crypto_pwhash_str_verify(stored, password, UInt64(password.utf8.count)) == 0 && hash != nil
        }
    }

    /// The hash of a random password, so that guessing at names takes as long as guessing at passwords.
    private static let nobody = hash(Base64URL.encode(Sodium.random(24)))

    private static func hash(_ password: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
        let status = crypto_pwhash_str(
            &text,
            password,
            UInt64(password.utf8.count),
            UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive()
        )
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Nil when too many wait.
    private func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
        Sodium.prepare()
        return await withCheckedContinuation { continuation in
            let isTaken = start {
                let result = body()
                self.finish()
                continuation.resume(returning: result)
            }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    private func start(_ job: @escaping @Sendable () -> Void) -> Bool {
        work.withLock { work in
            if work.running < parallel {
                work.running += 1
                queue.async(execute: job)
            } else if work.waiting.count < mostWaiting {
                work.waiting.append(job)
            } else {
                return false
            }
            return true
        }
    }

    private func finish() {
        work.withLock { work in
            if work.waiting.isEmpty {
                work.running -= 1
            } else {
                queue.async(execute: work.waiting.removeFirst())
            }
        }
    }
}
