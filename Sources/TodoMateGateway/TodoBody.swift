import Foundation
import HTTPServing
import TodoMate

/// The bodies that the todo routes take.
enum TodoBody {
    /// `{"content":…,"date":…[,"id","detail","status","position"]}`.
    static func draft(_ request: HTTPRequest) throws(Problem) -> TodoDraft {
        let fields = try fields(request)
        guard let content = fields.content else { throw Problem(.invalid, "content is missing") }
        guard let date = fields.date else { throw Problem(.invalid, "date is missing: write it as 2026-11-20") }
        return TodoDraft(
            id: fields.id,
            date: date,
            content: content,
            detail: fields.detail ?? "",
            status: fields.status ?? .todo,
            position: fields.position,
            visibility: fields.visibility
        )
    }

    /// Any of the fields of a draft but `id`.
    static func patch(_ request: HTTPRequest) throws(Problem) -> TodoPatch {
        let fields = try fields(request)
        guard fields.id == nil else { throw Problem(.invalid, "id cannot be changed: leave it out") }
        let patch = TodoPatch(
            date: fields.date,
            content: fields.content,
            detail: fields.detail,
            status: fields.status,
            position: fields.position,
            visibility: fields.visibility
        )
        // A misspelt name must not look like success.
        guard patch != TodoPatch() else {
            throw Problem(.invalid, "give at least one of date, content, detail, status, position and visibility")
        }
        return patch
    }

    private static func fields(_ request: HTTPRequest) throws(Problem) -> Fields {
        try checkType(request)
        // What is not plainly right is left to the decoder, which knows what to say about it.
        if let fields = FlatJSON(request.body).flatMap({ Fields($0) }) { return fields }
        return try decode(request)
    }

    private struct Fields: Decodable {
        var id: String?
        var content: String?
        var date: CalendarDate?
        var detail: String?
        var status: TodoStatus?
        var position: Double?
        var visibility: Visibility?

        private enum CodingKeys: CodingKey { case id, content, date, detail, status, position, visibility }

        /// What a todo has besides, so that one that was read can be put back as it is.
        private static let ignored: Set = ["uid", "revision", "micros", "createdAt", "updatedAt", "reactions"]

        /// Nil for any value that is not plainly right.
        init?(_ json: FlatJSON) {
            for (name, value) in json.fields {
                switch (name, value) {
                case ("id", .text(let text)): id = text
                case ("content", .text(let text)): content = text
                case ("detail", .text(let text)): detail = text
                case ("position", .number(let number)): position = number
                case ("date", .text(let text)):
                    guard let day = CalendarDate(text) else { return nil }
                    date = day
                case ("status", .text(let text)):
                    guard let known = TodoStatus(rawValue: text) else { return nil }
                    status = known
                case ("visibility", .text(let text)):
                    guard let known = Visibility(rawValue: text) else { return nil }
                    visibility = known
                default: guard Self.ignored.contains(name) else { return nil }
                }
            }
        }

        init(from decoder: any Decoder) throws {
            // A misspelt name must not look like success.
            for name in try FieldNames(from: decoder).all
            where CodingKeys(stringValue: name) == nil && !Self.ignored.contains(name) {
                throw TodoError.invalid(
                    "'\(name.prefix(40))' is no field of a todo: use id, date, content, detail, status, position "
                        + "and visibility"
                )
            }
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            // A null is not the same as a field that is left out: it is refused, like any other wrong value.
            func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
                fields.contains(key) ? try fields.decode(Value.self, forKey: key) : nil
            }
            id = try value(.id)
            content = try value(.content)
            date = try value(.date)
            detail = try value(.detail)
            status = try value(.status)
            position = try value(.position)
            visibility = try value(.visibility)
        }
    }

    /// The names in a JSON object.
    private struct FieldNames: Decodable {
        let all: [String]

        private struct Name: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            all = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }

    /// The body as JSON of a type that has these fields and no others: a misspelt name must not look like success.
    ///
    /// - Throws: a ``Problem`` that names the field that is wrong.
    static func decode<Value: Decodable>(_ request: HTTPRequest, only names: [String]) throws(Problem) -> Value {
        let given: FieldNames = try decode(request)
        if let other = given.all.first(where: { !names.contains($0) }) {
            throw Problem(.invalid, "'\(other.prefix(40))' is no field here: use \(names.joined(separator: " and "))")
        }
        return try decode(request)
    }

    /// The body as JSON of a type.
    ///
    /// - Throws: a ``Problem`` that names the field that is wrong.
    private static func decode<Value: Decodable>(_ request: HTTPRequest) throws(Problem) -> Value {
        try checkType(request)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(request.body))
        } catch let error as TodoError {
            throw Problem(error)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw Problem(.malformed, "the body is not JSON")
        } catch let error as DecodingError {
            throw Problem(.invalid, describe(error))
        } catch {
            throw Problem(.malformed, "the body is not JSON")
        }
    }

    private static func checkType(_ request: HTTPRequest) throws(Problem) {
        guard request.headers["content-length"] != nil || request.headers["transfer-encoding"] != nil else {
            throw Problem(.lengthRequired, "send a JSON body with its Content-Length")
        }
        let type = request.headers["content-type"] ?? ""
        // The usual spelling needs no taking apart.
        guard
            type == "application/json"
                || type.prefix(while: { $0 != ";" }).lowercased().trimmingCharacters(in: .whitespaces)
                    == "application/json"
        else {
            throw Problem(.unsupportedMediaType, "send the body as application/json")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            switch context.codingPath.last?.stringValue {
            case "status": "status must be todo, inProgress, complete or incomplete"
            case "position", "seen": "\(context.codingPath.last?.stringValue ?? "") must be a number"
            case "visibility", "audience":
                "\(context.codingPath.last?.stringValue ?? "") must be public, followers or private"
            case let field?: "\(field) must be a string"
            case nil: "the body must be a JSON object"
            }
        @unknown default: "the body is not what this path takes"
        }
    }
}
