import Foundation
package import HTTPServing
package import TodoMate

/// Why a request was not done, as RFC 9457 has it: `application/problem+json`.
///
///     {"type":"urn:todomate:problem:conflict","title":"Conflict","status":412,"detail":"the todo is now at …","current":{…}}
///
/// `type` is stable and meant for programs; `detail` says what to do.
struct Problem: HTTPResponseError {
    /// The last part of `type`.
    let kind: Kind
    /// What to do, in one line.
    let detail: String
    /// The todo as it is now, for a conflict.
    var current: Todo?
    /// The routine as it is now, for a conflict about one.
    var routine: Routine?
    /// Why an account is suspended, in its operator's words.
    var reason: String?
    /// Header fields that belong to the answer.
    var headers: HTTPHeaders = [:]

    enum Kind: String, CaseIterable {
        case malformed, invalid, unauthenticated, forbidden, exists, conflict, full, busy, unavailable, broken
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        case lengthRequired = "length-required"
        case unsupportedMediaType = "unsupported-media-type"
        case tooManyHeaders = "too-many-headers"
        case tooManyAttempts = "too-many-attempts"
        case tooManyRequests = "too-many-requests"
        case tooSlow = "too-slow"
        case tooLarge = "too-large"
        case targetTooLong = "target-too-long"
        case expectationFailed = "expectation-failed"
        case notImplemented = "not-implemented"
        case versionNotSupported = "version-not-supported"
        case wrongPassword = "wrong-password"
        case suspended
        case secondFactor = "second-factor"
        case secondFactorUnreadable = "second-factor-unreadable"
        case wrongCode = "wrong-code"
        case accountLeaving = "account-leaving"
        case operationReused = "operation-reused"

        var status: Int {
            switch self {
            case .malformed: 400
            case .unauthenticated, .secondFactor, .secondFactorUnreadable: 401
            case .forbidden, .wrongPassword, .wrongCode, .suspended, .accountLeaving: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .notAcceptable: 406
            case .tooSlow: 408
            case .exists: 409
            case .lengthRequired: 411
            case .conflict: 412
            case .tooLarge: 413
            case .targetTooLong: 414
            case .unsupportedMediaType: 415
            case .expectationFailed: 417
            case .invalid, .full, .operationReused: 422
            case .tooManyAttempts, .tooManyRequests: 429
            case .tooManyHeaders: 431
            case .broken: 500
            case .notImplemented: 501
            case .busy, .unavailable: 503
            case .versionNotSupported: 505
            }
        }

        var title: String {
            let words = rawValue.replacing("-", with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
    }

    init(_ kind: Kind, _ detail: String, current: Todo? = nil, headers: HTTPHeaders = [:]) {
        self.kind = kind
        self.detail = detail
        self.current = current
        self.headers = headers
    }

    /// The owner is private, or one of the two has blocked the other: one text for all.
    static func closed(_ owner: String) -> Problem { Problem(.forbidden, "\(owner)'s todos are not open to you") }

    /// An operator keeps somebody from signing in.
    static func suspended(_ suspension: Suspension) -> Problem {
        let reason = suspension.reason.map { ": " + $0 } ?? ": its operator can say why"
        var problem = Problem(.suspended, "this account is suspended" + reason)
        problem.reason = suspension.reason
        return problem
    }

    /// Somebody has tried too much, and has to wait.
    ///
    /// - Parameter what: what the attempts were, as in "to sign in".
    static func tooManyAttempts(_ what: String, _ wait: Duration) -> Problem {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        let detail = "too many attempts \(what): the next one may be in \(seconds) s"
        return Problem(.tooManyAttempts, detail, headers: ["Retry-After": String(seconds)])
    }

    init(_ error: TodoError) {
        switch error {
        case .invalid(let text): self.init(.invalid, text)
        case .exists(let text): self.init(.exists, text)
        case .notFound(let text): self.init(.notFound, text)
        case .conflict(let text, let current): self.init(.conflict, text, current: current)
        case .full(let text): self.init(.full, text)
        case .leaving(let text): self.init(.accountLeaving, text)
        case .refused(let text): self.init(.forbidden, text)
        case .reused(let text): self.init(.operationReused, text)
        case .gone(let text), .broken(let text): self.init(.broken, text)
        case .unavailable(let text): self.init(.unavailable, text, headers: ["Retry-After": "1"])
        }
    }

    init(_ fault: HTTPFault) {
        let kind: Kind =
            switch fault {
            case .malformed, .ambiguousLength: .malformed
            case .transferCoding, .unknownMethod: .notImplemented
            case .tooSlow: .tooSlow
            case .bodyTooLarge: .tooLarge
            case .targetTooLong: .targetTooLong
            case .expectation: .expectationFailed
            case .tooManyHeaders, .headersTooLarge: .tooManyHeaders
            case .version: .versionNotSupported
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .tooManyConnections: .busy
            case .failed: .broken
            }
        self.init(kind, fault.description, headers: kind == .busy ? ["Retry-After": "1"] : [:])
    }

    var response: HTTPResponse {
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        headers["Cache-Control"] = "no-store"
        if let current { headers["ETag"] = ETag.of(current) }
        let body = JSONObject([
            "type": "urn:todomate:problem:\(kind.rawValue)", "title": kind.title, "status": kind.status,
            "detail": detail,
            "current": current.map { RawJSON(TodoDTO($0).json) }, "reason": reason,
            "routine": routine.map { RawJSON($0.json) },
        ])
        return HTTPResponse(status: kind.status, headers: headers, body: Array(body.text.utf8))
    }
}

extension TodoError: HTTPResponseError {
    /// As a ``Problem``.
    package var response: HTTPResponse { Problem(self).response }
}
