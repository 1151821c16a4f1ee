import Foundation

/// What a client calls one write, so that it can say it again without having it done twice.
///
/// Ids of different users never meet. Over HTTP it is the field `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header), in Redis a word of `todomate_once`.
public struct OperationID: Sendable, Hashable, CustomStringConvertible {
    /// The most characters of one.
    public static let longest = 128

    /// 1 to 128 printable characters of ASCII, spaces among them.
    public let description: String

    /// An id that a client has chosen, such as a UUID.
    ///
    /// - Throws: ``TodoError/invalid(_:)``.
    public init(_ text: String) throws(TodoError) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .invalid("an operation id must be 1 to \(Self.longest) printable characters of ASCII, such as a UUID")
        }
        description = text
    }

    /// An id that nobody has used.
    public init() { description = UUID().uuidString.lowercased() }
}
