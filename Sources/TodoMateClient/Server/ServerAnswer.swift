import Foundation
import TodoMate

/// A whole answer.
struct ServerAnswer: Sendable {
    var status: Int
    /// By their names in lower case.
    var fields: [String: String]
    var body: Data

    /// The longest answer that is taken: that of a list of all that somebody may store, and some.
    static let mostBytes = 128 << 20
    /// So much is read of an answer that is no success: some hundred times what a problem of TodoMate's needs.
    static let mostRefusedBytes = 1 << 20

    /// Whether it is what was asked for.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether it comes from somebody on the way, such as a hotel's page to sign in: TodoMate answers in JSON, or with nothing.
    var isForeign: Bool {
        guard let type = fields["content-type"], !body.isEmpty else { return false }
        return !type.lowercased().contains("json")
    }

    /// Adds what has come of the body; of a refusal no more than is read.
    mutating func append(_ data: Data) {
        body.append(isSuccess ? data : data.prefix(max(Self.mostRefusedBytes - body.count, 0)))
    }

    /// The body as a value.
    ///
    /// - Throws: a ``ServerFailure`` when it is none.
    func read<Value: Decodable>(_ type: Value.Type = Value.self) throws(ServerFailure) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: body)
        } catch {
            throw .broken("\(error)")
        }
    }
}
