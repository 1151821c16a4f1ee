import CSodium
import Dispatch
import Synchronization

/// Hashes passwords with argon2id (RFC 9106) by libsodium, off the loop and only a few at a time.
///
/// Each hash takes 64 MiB and a good part of a second by design, so that many guesses cost much; the bound keeps many
/// logins at once from taking all memory.
public final class PasswordHasher: Sendable {
    private let queue: DispatchQueue
    private let slots: DispatchSemaphore

    /// - Parameter parallel: how many hashes are computed at a time.
    public init(parallel: Int = 2) {
        queue = DispatchQueue(label: "todomate.passwords", attributes: .concurrent)
        slots = DispatchSemaphore(value: parallel)
    }

    /// The hash of a password, salt and parameters included; nil when memory is short.
    public func hash(_ password: String) async -> String? { await run { Self.hash(password) } }

    /// Whether a password is the one that a hash was made of.
    ///
    /// - Parameter hash: nil for a user who is not there: the answer is no, after the same time.
    public func verify(_ password: String, against hash: String?) async -> Bool {
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

    private func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        Sodium.prepare()
        return await withCheckedContinuation { continuation in
            queue.async { [slots] in
                slots.wait()
                defer { slots.signal() }
                continuation.resume(returning: body())
            }
        }
    }
}
