import Foundation
import Synchronization

/// Tokens whose signature was found right before, so that a program that sends its token with each request has it checked
/// once: that saves the HMAC, two JSON decodings and the base64 of each request.
///
/// What depends on the time is checked at each use. Only tokens with a valid signature are kept, so that no one
/// without one pushes others out; and a text is found by a hash with a seed of this process's own, so that the time of a
/// look says nothing about other users' tokens.
final class VerifiedTokens: Sendable {
    struct Entry {
        var token: SessionToken
        var start: TimeInterval
    }

    /// Those used in this generation, and those used in the one before.
    private struct Generations {
        var young: [String: Entry] = [:]
        var old: [String: Entry] = [:]
        /// Of the texts of the young.
        var bytes = 0
    }

    private let most: Int
    private let mostBytes: Int
    private let generations = Mutex(Generations())

    /// - Parameters:
    ///   - most: so many are kept for sure; up to twice as many there are.
    ///   - mostBytes: the same for the bytes of their texts, some 160 each.
    init(most: Int = 10_000, mostBytes: Int = 2 << 20) {
        (self.most, self.mostBytes) = (most, mostBytes)
    }

    /// How many there are, and the bytes of their texts.
    var size: (count: Int, bytes: Int) {
        generations.withLock { generations in
            let old = generations.old.keys.reduce(0) { $0 + $1.utf8.count }
            return (generations.young.count + generations.old.count, generations.bytes + old)
        }
    }

    subscript(text: String) -> Entry? {
        generations.withLock { generations in
            if let entry = generations.young[text] { return entry }
            guard let entry = generations.old.removeValue(forKey: text) else { return nil }
            keep(text, entry, &generations)
            return entry
        }
    }

    func add(_ text: String, _ entry: Entry) { generations.withLock { keep(text, entry, &$0) } }

    /// What is not used during a whole generation is dropped.
    private func keep(_ text: String, _ entry: Entry, _ generations: inout Generations) {
        if generations.young.count >= most || generations.bytes + text.utf8.count > mostBytes {
            generations.old = generations.young
            (generations.young, generations.bytes) = ([:], 0)
        }
        if generations.young.updateValue(entry, forKey: text) == nil { generations.bytes += text.utf8.count }
    }
}
