import Foundation
import TodoMate

/// Why a request was not done.
struct ServerFailure: Error, Sendable {
    /// The answer's status; nil when none came, so that a write may have happened or not.
    var status: Int?
    /// The last part of the problem's `type`, such as `conflict`; nil for an answer that is none of TodoMate's.
    var kind: String?
    /// What to do, in one line.
    var detail: String
    /// The todo as it is now, where the server says so.
    var current: Todo?
    /// How long to wait at least before the next attempt, where the server says so.
    var retryAfter: Duration?

    /// No answer came.
    static func unreachable(_ reason: String) -> ServerFailure {
        ServerFailure(detail: "the server did not answer, and a write may have happened or not: \(reason)")
    }

    /// No answer came to a question.
    static func silent(_ reason: String) -> ServerFailure {
        ServerFailure(detail: "the server did not answer: \(reason)")
    }

    /// An answer that makes no sense.
    static func broken(_ reason: String) -> ServerFailure {
        ServerFailure(status: 200, kind: "broken", detail: "the server's answer is not valid: \(reason)")
    }

    /// A success of somebody else's, who knows nothing of what was asked.
    static func foreign(_ answer: ServerAnswer) -> ServerFailure {
        let type = answer.fields["content-type"] ?? "nothing"
        let detail =
            "something on the way answered in the server's place, with \(type): a network may want you to sign in first"
        return ServerFailure(status: answer.status, detail: detail)
    }

    /// What the server would refuse, and was not sent.
    static func invalid(_ reason: String) -> ServerFailure {
        ServerFailure(status: 422, kind: "invalid", detail: reason)
    }

    /// An answer whose status is no success, as RFC 9457 has it.
    init(_ answer: ServerAnswer) {
        struct Problem: Decodable {
            var type: String?
            var detail: String?
            var current: TodoDTO?
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: answer.body)
        status = answer.status
        let prefix = "urn:todomate:problem:"
        kind = problem?.type.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        detail = problem?.detail ?? Self.words(of: answer)
        current = problem?.current?.toModel()
        retryAfter = RetryAfter.time(answer.fields)
    }

    /// What a status without a reason means to who asked.
    private static func words(of answer: ServerAnswer) -> String {
        if (300..<400).contains(answer.status), let location = answer.fields["location"] {
            return "the server refers to \(location.prefix(200)): name that address"
        }
        let said = "the status \(answer.status) came without a reason"
        return answer.isForeign ? "\(said), and not from TodoMate: is the address right?" : said
    }

    private init(status: Int? = nil, kind: String? = nil, detail: String) {
        (self.status, self.kind, self.detail) = (status, kind, detail)
    }

    /// Whether another attempt of the same may succeed without anybody doing anything about it: no answer, a server that is stopping,
    /// or somebody else on the way who has answered, such as a proxy or a hotel's network, and knows nothing of todos.
    var isPassing: Bool {
        switch (status, kind) {
        case (nil, _), (408, _), (429, _), (502, _), (503, _), (504, _): true
        // A proxy that takes no more than so much never will.
        case (413, nil): false
        case (_, nil): true
        default: false
        }
    }

    /// The same as the domain says it.
    var todoError: TodoError {
        switch (status, kind) {
        case _ where isPassing: .unavailable(detail)
        case (_, "full"): .full(detail)
        case (_, "account-leaving"): .leaving(detail)
        case (_, "operation-reused"): .reused(detail)
        case (401, _), (403, _): .refused(detail)
        case (404, _): .notFound(detail)
        case (409, _): .exists(detail)
        case (412, _): .conflict(detail, current: current)
        case (let status?, let kind) where status >= 500 || kind == "broken": .broken(detail)
        default: .invalid(detail)
        }
    }
}
