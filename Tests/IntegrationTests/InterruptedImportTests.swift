import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

@Suite("An import that is told to end")
@LoopActor
struct InterruptedImportTests {
    @Test(
        "ends though the server wants no request for an hour, and says where to go on",
        arguments: [SIGINT, SIGTERM]
    )
    func ends(_ signal: Int32) async throws {
        try await withFickleServer { laptop, server, _ in
            try await laptop.logIn()
            await server.go()
            // In its place, at its port.
            let busy = HTTPServer(HTTPRouter())
            defer { busy.close() }
            var asked = 0
            busy.problem = { _ in
                asked += 1
                let body = #"{"type":"urn:todomate:problem:unavailable","detail":"not now"}"#
                return HTTPResponse(status: 503, headers: ["Retry-After": "3600"], body: Array(body.utf8))
            }
            _ = try busy.listen(host: "127.0.0.1", port: try #require(URL(string: laptop.server)?.port))
            let file = laptop.home.appending(path: "one.jsonl")
            let line = #"{"id":"a","uid":"alice","date":"2026-11-20","content":"a"}"#
            try line.write(to: file, atomically: true, encoding: .utf8)
            let program = try laptop.start(["import", file.path])
            try await eventually("it waits") { asked > 0 }
            await program.signal(signal)
            try await eventually("it says where to go on") { program.errors.contains("continue with --from 1") }
            #expect(await program.stop() == .exit(130), "\(program.errors)")
            #expect(program.errors.contains("interrupted") && asked == 1)
        }
    }
}
