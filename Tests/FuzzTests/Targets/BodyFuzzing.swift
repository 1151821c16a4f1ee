import Foundation

@testable import HTTPServing
@testable import TodoMate
@testable import TodoMateGateway

/// Bodies of the requests that write todos and that sign in.
enum BodyFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let request = request(bytes)
        if let draft = try? TodoBody.draft(request) { try check(draft) }
        if let patch = try? TodoBody.patch(request) {
            let again = try TodoBody.patch(Self.request(Array(JSONEncoder().encode(patch))))
            try require(again == patch, "\(patch) reads back as \(again)")
        }
        let credentials = try? SessionRoutes.Credentials.read(request)
        if let credentials { try check(credentials) }
    }

    /// A password counts byte for byte: it must not come out normalised.
    private static func check(_ credentials: SessionRoutes.Credentials) throws {
        var fields = ["user": credentials.user, "password": credentials.password]
        fields["code"] = credentials.code
        let body = try JSONEncoder().encode(fields)
        let again = try SessionRoutes.Credentials.read(request(Array(body)))
        try require(
            again.user.utf8.elementsEqual(credentials.user.utf8)
                && again.password.utf8.elementsEqual(credentials.password.utf8) && again.code == credentials.code,
            "\(credentials) reads back as \(again)"
        )
    }

    private static func check(_ draft: TodoDraft) throws {
        let again = try TodoBody.draft(request(Array(JSONEncoder().encode(draft))))
        try require(again == draft, "\(draft) reads back as \(again)")
        try require(
            (CalendarDate.earliest...CalendarDate.latest).contains(draft.date),
            "no todo may have the day \(draft.date)"
        )
        // The repository checks the rest; whatever it lets in must be able to leave as a message.
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        let todo = Todo(
            id: draft.id ?? "a",
            uid: "alice",
            date: draft.date,
            time: draft.time,
            content: draft.content,
            detail: draft.detail,
            status: draft.status,
            position: draft.position ?? 1,
            revision: 1,
            createdAt: now,
            updatedAt: now
        )
        guard (try? MessageFuzzing.obeysBounds(todo)) != nil else { return }
        try MessageFuzzing.check(CanonicalMessage.encode(ChangeID(version: 1, microseconds: 1), .added, todo))
        try MessageFuzzing.readsBack(ChangeID(version: 1, microseconds: 1), .added, todo)
    }

    private static func request(_ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            path: "/",
            headers: ["Content-Type": "application/json", "Content-Length": "\(body.count)"],
            body: body
        )
    }
}
