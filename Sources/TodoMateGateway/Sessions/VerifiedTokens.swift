import Foundation
import Synchronization

/// Tokens whose signature was found right before, so that a program that sends its token with each request has it checked
/// once: that saves the HMAC, two JSON decodings and the base64 of each request.
///
/// What the time decides about a token is looked at each time.
final class VerifiedTokens: Sendable {
    struct Entry {
        var token: SessionToken
        var start: TimeInterval
    }

    /// Some 4 MB; then all are forgotten.
    private static let most = 10_000

    private let entries = Mutex<[String: Entry]>([:])

    subscript(text: String) -> Entry? { entries.withLock { $0[text] } }

    func add(_ text: String, _ entry: Entry) {
        entries.withLock { entries in
            if entries.count >= Self.most { entries = [:] }
            entries[text] = entry
        }
    }
}
