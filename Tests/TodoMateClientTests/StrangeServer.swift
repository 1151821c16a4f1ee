import EventLoop
import HTTPServing

/// Somebody who answers every request with the same words, as a proxy or a hotel's network does.
@LoopActor
final class StrangeServer {
    private let server = HTTPServer(HTTPRouter())
    let port: Int

    /// What everybody is answered.
    var answer: HTTPResponse { didSet { say(answer) } }

    init(port: Int = 0, _ answer: HTTPResponse) throws {
        self.answer = answer
        self.port = try server.listen(host: "127.0.0.1", port: port)
        say(answer)
    }

    private func say(_ answer: HTTPResponse) { server.problem = { _ in answer } }

    func close() { server.close() }

    /// A page, as browsers are shown one.
    nonisolated static func page(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "text/html"], body: Array("<h1>Welcome</h1>".utf8))
    }

    /// A problem of TodoMate's.
    nonisolated static func problem(_ status: Int, _ kind: String) -> HTTPResponse {
        .json(#"{"type":"urn:todomate:problem:\#(kind)","detail":"because"}"#, status: status)
    }
}
