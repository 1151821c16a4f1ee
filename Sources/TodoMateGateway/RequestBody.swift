import Foundation
import HTTPServing
import TodoMate

/// What a path takes as the JSON body of a request: an object of these fields and no others.
protocol RequestBody: Decodable {
    /// The fields, in the order in which errors list them.
    associatedtype CodingKeys: CodingKey & CaseIterable
    /// Fields that may come besides, and are passed over.
    static var ignored: Set<String> { get }
    /// Whose fields they are, as errors say it.
    static var place: String { get }
}

extension RequestBody {
    static var ignored: Set<String> { [] }
    static var place: String { "here" }

    /// The body of a request.
    ///
    /// - Throws: a ``Problem`` that names the field that is wrong.
    static func read(_ request: HTTPRequest) throws(Problem) -> Self {
        try JSONBody.check(request)
        do {
            return try JSONDecoder().decode(KnownFields<Self>.self, from: Data(request.body)).body
        } catch let error as TodoError {
            throw Problem(error)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw Problem(.malformed, "the body is not JSON")
        } catch let error as DecodingError {
            throw Problem(.invalid, JSONBody.describe(error))
        } catch {
            throw Problem(.malformed, "the body is not JSON")
        }
    }
}

extension KeyedDecodingContainer {
    /// A field that may be left out. A null is not the same: it is refused, like any other wrong value.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        contains(key) ? try decode(Value.self, forKey: key) : nil
    }

    /// A whole number that may be left out; for one with a fraction the decoder would say that the body is no JSON.
    func optionalWhole(_ key: Key) throws -> Int? {
        guard let number: Double = try optional(key) else { return nil }
        guard let whole = Int(exactly: number) else {
            let context = DecodingError.Context(codingPath: codingPath + [key], debugDescription: "has a fraction")
            throw DecodingError.typeMismatch(Int.self, context)
        }
        return whole
    }
}

/// A body without unknown fields: a misspelt name must not look like success.
struct KnownFields<Body: RequestBody>: Decodable {
    let body: Body

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let known = Body.CodingKeys.allCases.map(\.stringValue)
        for name in try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        where !known.contains(name) && !Body.ignored.contains(name) {
            let last = known.last ?? ""
            let list = known.count == 1 ? last : "\(known.dropLast().joined(separator: ", ")) and \(last)"
            throw TodoError.invalid("'\(name.prefix(40))' is no field \(Body.place): use \(list)")
        }
        body = try Body(from: decoder)
    }
}

/// What the bodies of all requests have in common.
enum JSONBody {
    /// Checks that there is a body, and that it says to be JSON.
    static func check(_ request: HTTPRequest) throws(Problem) {
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
        try checkCoding(request)
    }

    /// Refuses what is packed: unpacked it might be of any size.
    static func checkCoding(_ request: HTTPRequest) throws(Problem) {
        guard let coding = request.headers["content-encoding"], coding.lowercased() != "identity" else { return }
        throw Problem(
            .unsupportedMediaType,
            "send the body as it is, without Content-Encoding",
            headers: ["Accept-Encoding": "identity"]
        )
    }

    static func describe(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            switch context.codingPath.last?.stringValue {
            case "color": "color must be \(GoalColor.choices)"
            case "status": "status must be todo, inProgress, complete or incomplete"
            case "scope": "scope must be feed, read or write"
            case "level": "level must be info or warning"
            case "uses", "seconds", "bytes", "todos", "tokens", "writes", "hours":
                "\(context.codingPath.last?.stringValue ?? "") must be a whole number"
            case "follow", "archived": "\(context.codingPath.last?.stringValue ?? "") must be true or false"
            case "position", "seen", "days": "\(context.codingPath.last?.stringValue ?? "") must be a number"
            case "visibility", "audience":
                "\(context.codingPath.last?.stringValue ?? "") must be public, followers or private"
            case let field?: "\(field) must be a string"
            case nil: "the body must be a JSON object"
            }
        @unknown default: "the body is not what this path takes"
        }
    }
}
