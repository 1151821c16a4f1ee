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

    /// A text and its hash: made once for all that is looked up by it.
    private struct Key: Hashable {
        let text: String
        let code: Int

        init(_ text: String) { (self.text, code) = (text, text.hashValue) }

        func hash(into hasher: inout Hasher) { hasher.combine(code) }
    }

    /// Those used in this generation, and those used in the one before.
    private struct Generations {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
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
            let old = generations.old.keys.reduce(0) { $0 + $1.text.utf8.count }
            return (generations.young.count + generations.old.count, generations.bytes + old)
        }
    }

    /// What is kept of a text, or else what `verify` finds in it, which is kept then.
    func entry(of text: String, orElse verify: () -> Entry?) -> Entry? {
        let key = Key(text)
        let known = generations.withLock { generations -> Entry? in
            if let entry = generations.young[key] { return entry }
            guard let entry = generations.old.removeValue(forKey: key) else { return nil }
            keep(key, entry, &generations)
            return entry
        }
        if let known { return known }
        guard let entry = verify() else { return nil }
        generations.withLock { keep(key, entry, &$0) }
        return entry
    }

    /// What is not used during a whole generation is dropped.
    private func keep(_ key: Key, _ entry: Entry, _ generations: inout Generations) {
        let bytes = key.text.utf8.count
        if generations.young.count >= most || generations.bytes + bytes > mostBytes {
            generations.old = generations.young
            (generations.young, generations.bytes) = ([:], 0)
        }
        if generations.young.updateValue(entry, forKey: key) == nil { generations.bytes += bytes }
    }
}
