import Foundation
import TodoMate

/// A whole answer.
struct ServerAnswer: Sendable {
    var status: Int
    /// By their names in lower case.
    var fields: [String: String]
    var body: Data

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
