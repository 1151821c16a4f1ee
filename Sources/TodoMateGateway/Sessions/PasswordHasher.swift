import CSodium
import EventLoop
import Foundation
import Synchronization
import TodoMate

/// Hashes passwords with argon2id (RFC 9106) by libsodium, off the loop and only a few at a time.
///
/// Each hash takes 64 MiB and a good part of a second by design, so that many guesses cost much; the bounds keep many
/// logins at once from taking all memory, and from making each other wait for minutes. Addresses take turns, and each has
/// one password checked at a time: many from one wait behind each other.
package final class PasswordHasher: Sendable {
    /// What stands in place of a hash where no password was ever chosen: no password is right, and that takes as long to say.
    package static let none = SignInFacts.noPassword

    /// Whether a password is the one that a hash was made of.
    typealias Check = @Sendable (_ password: String, _ hash: String) -> Bool

    private let queue: Mutex<FairQueue<@Sendable () -> Void>>
    private let check: Check

    /// Two at a time; 128 places, of which one address may have 16.
    package convenience init() { self.init(parallel: 2, most: 128, mostOfOne: 16) }

    /// - Parameters:
    ///   - parallel: how many passwords are checked at a time.
    ///   - most: the places for those in progress, waiting, and about to wait.
    ///   - mostOfOne: how many of them one address may have.
    ///   - check: does the work, on a thread of its own.
    init(parallel: Int, most: Int, mostOfOne: Int, check: @escaping Check = PasswordHasher.check) {
        queue = Mutex(FairQueue(parallel: parallel, most: most, mostOfOne: mostOfOne))
        self.check = check
    }

    /// How many places are taken, and how many of them have work that waits.
    var places: Int { queue.withLock { $0.places } }
    var waiting: Int { queue.withLock { $0.waiting } }

    /// The hash of a password, salt and parameters included; nil when memory is short or too many wait.
    ///
    /// - Parameters:
    ///   - password: what is hashed.
    ///   - key: whose place it takes.
    ///   - isKnown: whether it is for one who was here before.
    package func hash(_ password: String, for key: String = "", isKnown: Bool = true) async -> String? {
        await withPlace(for: key, isKnown: isKnown) { place async in await place.hash(password) } ?? nil
    }

    /// A place among the password checks.
    struct Place: Sendable {
        fileprivate let hasher: PasswordHasher
        fileprivate let key: String

        /// Whether a password is the one that a hash was made of.
        ///
        /// - Parameter hash: nil for a user who is not there: the answer is no, after the same time.
        func verify(_ password: String, against hash: String?) async -> Bool {
            let hash = hash == PasswordHasher.none ? nil : hash
            return await run { [check = hasher.check] in
                guard let stored = hash ?? PasswordHasher.unknownAccount else { return false }
                return check(password, stored) && hash != nil
            }
        }

        /// The hash of a password, salt and parameters included; nil when memory is short.
        func hash(_ password: String) async -> String? { await run { PasswordHasher.hash(password) } }

        fileprivate func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
            await withCheckedContinuation { continuation in
                hasher.add(for: key) { continuation.resume(returning: body()) }
            }
        }
    }

    /// Runs `body` with a place; nil, without running it, when there is none.
    ///
    /// - Parameters:
    ///   - key: whose place it is.
    ///   - isKnown: whether it is for one who was here before: strangers cannot take all places.
    ///   - body: has the place until it returns.
    func withPlace<Result, Failure: Error>(
        for key: String,
        isKnown: Bool = false,
        _ body: (Place) async throws(Failure) -> Result
    ) async throws(Failure) -> Result? {
        guard queue.withLock({ $0.enter(key, isKnown: isKnown) }) else { return nil }
        defer { queue.withLock { $0.leave(key) } }
        return try await body(Place(hasher: self, key: key))
    }

    /// The hash of a random password, so that guessing at names takes as long as guessing at passwords.
    private static let unknownAccount = hash(Base64URL.encode(Sodium.random(24)))

    private static func check(_ password: String, _ hash: String) -> Bool {
        Sodium.prepare()
        return crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
    }

    private static func hash(_ password: String) -> String? {
        Sodium.prepare()
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

    private func add(for key: String, _ job: @escaping @Sendable () -> Void) {
        queue.withLock { $0.add(job, for: key) }
        begin()
    }

    private func begin() {
        guard let (job, key) = queue.withLock({ $0.next() }) else { return }
        Thread.detachNewThread {
            #if os(Linux)
                // Of this thread alone: on the loop's processor it would otherwise run for milliseconds before the loop gets back. At 19,
                // beside others that are busy, it would not come to its end.
                setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
            #endif
            job()
            self.queue.withLock { $0.finish(key) }
            self.begin()
        }
    }
}
