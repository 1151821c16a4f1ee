import EventLoop
import HTTPServing

/// Runs `body` with a server on a free port, and closes it afterwards.
@LoopActor
func withServer(
    _ limits: HTTPLimits = HTTPLimits(),
    _ body: @LoopActor (HTTPServer, Int) async throws -> Void
) async throws {
    let router = HTTPRouter()
    router.on(.get, "/echo/{word}") { request, parameters in .response(.json("\"\(parameters["word"])\"")) }
    router.on(.post, "/length") { request, _ in .response(.json("\(request.body.count)", status: 201)) }
    router.on(.get, "/large") { _, _ in
        .response(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 32 << 20)))
    }
    router.on(.get, "/long") { _, _ in
        .response(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 4 << 20)))
    }
    router.on(.get, "/stream") { _, _ in .stream { $0.send(EventFrame.comment("open")) } }
    router.on(.get, "/silent") { _, _ in .stream { _ in } }
    router.on(.get, "/header") { request, _ in
        .response(HTTPResponse(status: 200, headers: ["X-Echo": request.query("value") ?? ""]))
    }
    let server = HTTPServer(router, limits: limits)
    let port = try server.listen(host: "127.0.0.1", port: 0)
    defer { server.close() }
    try await body(server, port)
}

func get(_ path: String, _ more: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: h\r\n\(more)\r\n" }
