import EventLoop
import HTTPServing
import TodoMate

/// The field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a string of RFC 9651, section 3.3.3.
///
///     Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"
enum IdempotencyKey {
    static let field = "Idempotency-Key"
    /// Says in an answer that it is the one of before.
    static let replayed = "Idempotency-Replayed"

    /// The operation that a request names; nil for none.
    ///
    /// - Throws: a ``Problem`` for anything but one string without parameters.
    static func operation(of request: HTTPRequest) throws(Problem) -> OperationID? {
        guard let text = request.headers[field] else { return nil }
        guard request.headers.count(of: field) == 1, let id = string(text) else {
            throw Problem(
                .malformed,
                "\(field) must be one string in quotes, such as \"8e03978e-40d5-43dd-bc93-6894a57f9324\""
            )
        }
        do throws(TodoError) {
            return try OperationID(id)
        } catch {
            throw Problem(.malformed, error.description)
        }
    }

    /// The inside of a string of RFC 9651, section 4.2.5; nil where it is none, or more than one.
    static func string(_ text: String) -> String? {
        var rest = text.utf8[...]
        guard rest.popFirst() == quote else { return nil }
        var inside: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case quote: return rest.isEmpty ? String(decoding: inside, as: UTF8.self) : nil
            case backslash:
                guard let next = rest.popFirst(), next == quote || next == backslash else { return nil }
                inside.append(next)
            case 0x20...0x7E: inside.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// What tells a request from others: its method, path, query and body. A condition is no part of it: what was done under
    /// another one was done.
    @LoopActor
    static func fingerprint(of request: HTTPRequest) -> String {
        var bytes: [UInt8] = []
        let parts = [request.method.rawValue, request.path] + request.query.flatMap { [$0.name, $0.value] }
        for part in parts { bytes += "\(part.utf8.count):\(part)".utf8 }
        bytes += "\n".utf8
        bytes += request.body
        return Sodium.digest(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
