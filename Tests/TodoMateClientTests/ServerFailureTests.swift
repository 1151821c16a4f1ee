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
}
