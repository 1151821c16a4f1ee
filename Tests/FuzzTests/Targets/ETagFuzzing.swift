@testable import HTTPServing
@testable import TodoMate
@testable import TodoMateGateway

/// The conditions of requests: `If-Match` and `If-None-Match`.
enum ETagFuzzing {
    private static let tag = "\"57\""

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let matching = HTTPRequest(method: .patch, path: "/", headers: ["If-Match": text])
        // As the server has it: no field holds control characters.
        let field = matching.headers["if-match"] ?? ""
        if let revision = try? ETag.expectedRevision(matching) {
            let micros = revision.micros ?? 0
            let tag = micros > 0 ? "\"\(revision)" : "\"\(revision.number)"
            try require(Array(field.utf8).contains(Array(tag.utf8)), "'\(field)' passes for revision \(revision)")
        }
        if isKnown(text) {
            try require(field == "*" || field.contains(tag), "'\(field)' is taken for \(tag)")
        }
        // A list of tags is told apart whatever stands beside the one that counts.
        try require(isKnown("\(text),\(tag)") && isKnown("\(text) , W/\(tag)"), "\(tag) is overlooked after '\(text)'")
        try require(
            isKnown("\(tag),\(text)") && isKnown("W/\(tag)\t, \(text)"),
            "\(tag) is overlooked before '\(text)'"
        )
    }

    private static func isKnown(_ field: String) -> Bool {
        ETag.isKnown(tag, to: HTTPRequest(method: .get, path: "/", headers: ["If-None-Match": field]))
    }
}
