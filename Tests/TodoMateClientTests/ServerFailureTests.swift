import Foundation
import Testing

@testable import TodoMateClient

@Suite("An answer that is no success")
struct ServerFailureTests {
    @Test(
        "is the server's word only where it is a problem of TodoMate's",
        arguments: [
            (404, "urn:todomate:problem:not-found", false), (409, "urn:todomate:problem:exists", false),
            (412, "urn:todomate:problem:conflict", false), (413, "urn:todomate:problem:too-large", false),
            (422, "urn:todomate:problem:invalid", false), (403, "urn:todomate:problem:forbidden", false),
            (429, "urn:todomate:problem:busy", true), (503, "urn:todomate:problem:unavailable", true),
            // From somebody on the way, who knows nothing of todos.
            (404, nil, true), (403, nil, true), (409, nil, true), (412, nil, true), (302, nil, true), (500, nil, true),
            (502, nil, true), (404, "about:blank", true),
            // Who takes no more than so much never will.
            (413, nil, false),
        ] as [(Int, String?, Bool)]
    )
    func passing(_ status: Int, _ type: String?, _ isPassing: Bool) {
        let body = type.map { #"{"type":"\#($0)","detail":"because"}"# } ?? "<h1>404 page not found</h1>"
        let failure = ServerFailure(ServerAnswer(status: status, fields: [:], body: Data(body.utf8)))
        #expect(failure.isPassing == isPassing)
    }

    @Test(
        "says what to do about an address that is not TodoMate's",
        arguments: [
            (301, ["location": "https://todo.example.org/"], "refers to https://todo.example.org/: name that address"),
            (302, [:], "the status 302 came without a reason"),
            (404, ["content-type": "text/html"], "not from TodoMate: is the address right?"),
            (500, ["content-type": "application/json"], "the status 500 came without a reason"),
        ] as [(Int, [String: String], String)]
    )
    func address(_ status: Int, _ fields: [String: String], _ words: String) {
        let failure = ServerFailure(ServerAnswer(status: status, fields: fields, body: Data("<h1>Hello</h1>".utf8)))
        #expect(failure.detail.hasSuffix(words), "\(failure.detail)")
    }

    @Test(
        "says how long to wait in seconds or by a date, which is read by the clock of whoever sent it",
        arguments: [
            ("7", nil, 7), ("0", nil, 0), ("-7", nil, 0), ("99999999", nil, 3600), ("soon", nil, nil),
            ("1.5", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Mon, 07 Nov 1994 00:00:10 GMT", "Sun, 06 Nov 1994 23:59:50 GMT", 20),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:07 GMT", 0),
            ("Sun, 06 Nov 2994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 3600),
            // Without one, by the clock here: long ago.
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 0), ("Sun, 06 Nov 1994 08:49:37 GMT", "now", 0),
            ("Sun, 06 Nov 1994 08:49:37", nil, nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil, nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil, nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil, nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil, nil),
        ] as [(String, String?, Int?)]
    )
    func waits(_ text: String, _ date: String?, _ seconds: Int?) {
        let fields = ["retry-after": text, "date": date].compactMapValues(\.self)
        let failure = ServerFailure(ServerAnswer(status: 503, fields: fields, body: Data()))
        #expect(failure.retryAfter == seconds.map { .seconds($0) })
    }
}
