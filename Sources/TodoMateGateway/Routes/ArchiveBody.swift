import Foundation
import HTTPServing
import TodoMate

/// Todos of an archive as the body of a request: lines of JSON.
enum ArchiveBody {
    private static let type = "application/x-ndjson"

    /// The lines of a request.
    ///
    /// - Throws: a ``Problem`` that names the first line that is not in order.
    static func lines(_ request: HTTPRequest, of uid: String) throws(Problem) -> [[UInt8]] {
        guard request.headers["content-length"] != nil || request.headers["transfer-encoding"] != nil else {
            throw Problem(.lengthRequired, "send lines of an archive with their Content-Length")
        }
        let given = (request.headers["content-type"] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard given.lowercased() == type else { throw Problem(.unsupportedMediaType, "send the lines as \(type)") }
        try JSONBody.checkCoding(request)
        let lines = request.body.split(separator: UInt8(ascii: "\n")).map {
            Array($0.last == 0x0D ? $0.dropLast() : $0)
        }.filter { !$0.isEmpty }
        guard (1...ArchiveOutcome.mostAtOnce).contains(lines.count) else {
            throw Problem(.invalid, "send 1 to \(ArchiveOutcome.mostAtOnce) lines at once: these are \(lines.count)")
        }
        for (index, line) in lines.enumerated() {
            do throws(TodoError) {
                try check(line, of: uid)
            } catch {
                throw Problem(.invalid, "line \(index + 1): \(error.description); nothing was written")
            }
        }
        return lines
    }

    private static func check(_ line: [UInt8], of uid: String) throws(TodoError) {
        guard case .todo(let owner) = try ArchiveLine(line) else {
            throw .invalid("it is no todo: settings and relations are set by their own paths")
        }
        guard owner == uid else { throw .invalid("its uid must be \(uid)") }
    }
}

extension ArchiveOutcome {
    /// Whether something was written.
    var isWritten: Bool { self == .added || self == .replaced }

    /// What became of the line, as JSON.
    var json: String {
        switch self {
        case .added: #"{"outcome":"added"}"#
        case .replaced: #"{"outcome":"replaced"}"#
        case .unchanged: #"{"outcome":"unchanged"}"#
        case .refused(let reason): JSONObject(["outcome": "refused", "reason": reason]).text
        }
    }
}
