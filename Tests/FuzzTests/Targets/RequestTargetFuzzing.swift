import Dispatch
import EventLoop
import Foundation
import Synchronization

@testable import HTTPServing
@testable import TodoMateGateway

/// Paths and queries of HTTP requests.
enum RequestTargetFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        try checkPath(String(parts[0]))
        if parts.count > 1 { try checkQuery(String(parts[1])) }
    }

    private static func checkPath(_ path: String) throws {
        guard let segments = PathSegments.decode(path) else {
            return try require(matched([path]) == [nil], "a path without segments reaches a route")
        }
        for segment in segments {
            try require(![".", ".."].contains(segment), "a segment climbs")
            try require(!segment.utf8.contains(where: { "/\\".utf8.contains($0) }), "a slash in '\(segment)'")
            try require(
                !segment.unicodeScalars.contains { $0.properties.generalCategory == .control },
                "a control character in '\(segment)'"
            )
        }
        let spelled = "/" + segments.map(escaped).joined(separator: "/")
        try require(bytes(of: PathSegments.decode(spelled)) == bytes(of: segments), "'\(spelled)' has other segments")
        let routes = matched([path, spelled])
        try require(routes[0] == routes[1], "'\(spelled)' reaches another route")
    }

    private static func checkQuery(_ text: String) throws {
        guard let pairs = PercentEncoding.query(text) else { return }
        let spelled = pairs.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
        let again = try require(PercentEncoding.query(spelled), "'\(spelled)' is refused")
        try require(
            bytes(of: again.map(\.name)) == bytes(of: pairs.map(\.name))
                && bytes(of: again.map(\.value)) == bytes(of: pairs.map(\.value)),
            "'\(spelled)' has other pairs"
        )
    }

    /// Every byte percent-encoded.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(of texts: [String]?) -> [[UInt8]]? { texts?.map { Array($0.utf8) } }

    /// The parameters of the route that each path reaches; nil for no route.
    private static func matched(_ paths: [String]) -> [[String: [UInt8]]?] {
        onLoop {
            paths.map { path in
                guard case .handler(_, let parameters) = router.match(.get, path) else { return nil }
                return Dictionary(uniqueKeysWithValues: parameters.values.map { ($0.name, Array($0.value.utf8)) })
            }
        }
    }

    private struct Document: Decodable {
        var paths: [String: Ignored]

        struct Ignored: Decodable { init(from decoder: any Decoder) {} }
    }

    /// All paths of the API, and those of the page.
    @LoopActor
    private static let router = {
        let router = HTTPRouter()
        let document = try? JSONDecoder().decode(Document.self, from: Data(PackageResources.openapi_json))
        let patterns = document?.paths.keys.sorted() ?? []
        precondition(patterns.contains { $0.contains("{uid}") }, "the OpenAPI document cannot be read")
        for pattern in patterns + ["/", "/{file}"] {
            router.on(.get, pattern) { _, _ in .response(HTTPResponse(status: 204)) }
        }
        return router
    }()

    /// Runs `body` on the loop, where the router lives, and waits for it on this thread, which is another.
    private static func onLoop<Value: Sendable>(_ body: @escaping @Sendable @LoopActor () -> Value) -> Value {
        let result = Outcome<Value>()
        Task { @LoopActor in result.finish(body()) }
        return result.wait()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        private let isDone = DispatchSemaphore(value: 0)

        func finish(_ result: Value) {
            value.withLock { $0 = result }
            isDone.signal()
        }

        func wait() -> Value {
            while true {
                isDone.wait()
                if let result = value.withLock({ $0 }) { return result }
            }
        }
    }
}
