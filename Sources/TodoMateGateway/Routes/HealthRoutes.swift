import EventLoop
import HTTPServing

/// Whether the worker lives, and whether it can serve.
@LoopActor
final class HealthRoutes {
    private let readiness: @LoopActor () async -> String?
    private let writeRefusal: @LoopActor () -> String?
    private let limitation: @LoopActor () -> String?

    /// - Parameters:
    ///   - readiness: why the worker cannot serve; nil when it can.
    ///   - writeRefusal: why Redis refuses writes; nil when it does not.
    ///   - limitation: what could not be served when `readiness` was asked, although the worker can serve; nil for nothing.
    init(
        readiness: @escaping @LoopActor () async -> String?,
        writeRefusal: @escaping @LoopActor () -> String?,
        limitation: @escaping @LoopActor () -> String?
    ) {
        (self.readiness, self.writeRefusal, self.limitation) = (readiness, writeRefusal, limitation)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/healthz") { _, _ in .response(Self.text("alive", status: 200)) }
        router.on(.get, "/readyz") { [readiness, writeRefusal, limitation] _, _ in
            if let reason = await readiness() { return .response(Self.text(reason, status: 503)) }
            // Ready all the same: reading works, and so does removing; and so do the nodes of a cluster that are there. All
            // workers have the same Redis, and load balancers that took them out for this would end that too.
            let remarks = [limitation(), writeRefusal().map { "writes are refused: \($0)" }].compactMap { $0 }
            let text = remarks.isEmpty ? "ready" : "ready, but " + remarks.joined(separator: "; and ")
            return .response(Self.text(text, status: 200))
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
