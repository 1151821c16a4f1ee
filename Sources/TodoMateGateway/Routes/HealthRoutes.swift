import EventLoop
import HTTPServing

/// Whether the worker lives, and whether it can serve.
@LoopActor
final class HealthRoutes {
    private let readiness: @LoopActor () async -> String?

    /// - Parameter readiness: why the worker cannot serve; nil when it can.
    init(readiness: @escaping @LoopActor () async -> String?) { self.readiness = readiness }

    func add(to router: HTTPRouter) {
        router.on(.get, "/healthz") { _, _ in .response(Self.text("alive", status: 200)) }
        router.on(.get, "/readyz") { [readiness] _, _ in
            let reason = await readiness()
            return .response(Self.text(reason ?? "ready", status: reason == nil ? 200 : 503))
        }
    }

    private static func text(_ text: String, status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: Array((text + "\n").utf8)
        )
    }
}
