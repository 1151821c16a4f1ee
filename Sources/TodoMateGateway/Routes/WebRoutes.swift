import EventLoop
import HTTPServing

/// Serves the files of the web page, which are part of the program.
@LoopActor
enum WebRoutes {
    /// Scripts, styles and pictures of this server alone; no page of another site may frame it (CSP Level 3).
    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds a route a file.
    static func add(_ assets: [WebAsset], to router: HTTPRouter) {
        for asset in assets { router.on(.get, asset.path) { request, _ in .response(answer(asset, request)) } }
    }

    private static func answer(_ asset: WebAsset, _ request: HTTPRequest) -> HTTPResponse {
        var headers: HTTPHeaders = [
            "ETag": asset.tag, "Cache-Control": asset.caching, "Vary": "Accept-Encoding",
            "Content-Security-Policy": contentSecurityPolicy,
        ]
        guard !ETag.isKnown(asset.tag, to: request) else { return HTTPResponse(status: 304, headers: headers) }
        headers["Content-Type"] = asset.contentType
        if let compressed = asset.compressed, AcceptedCoding.takes("gzip", request.headers["accept-encoding"]) {
            headers["Content-Encoding"] = "gzip"
            return HTTPResponse(status: 200, headers: headers, body: compressed)
        }
        return HTTPResponse(status: 200, headers: headers, body: asset.bytes)
    }
}

/// One file of the web page.
struct WebAsset: Sendable {
    let path: String
    let contentType: String
    let bytes: [UInt8]
    /// The bytes by gzip, when that makes them fewer.
    let compressed: [UInt8]?
    let tag: String

    /// How long browsers keep it. A part's name changes with what is in it; all others are asked for each time, and nearly always
    /// answered with 304: a new version shows at once.
    var caching: String { path.hasPrefix("/parts/") ? "public, max-age=31536000, immutable" : "no-cache" }

    init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        contentType =
            switch path.split(separator: ".").last {
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "svg": "image/svg+xml"
            case "json": "application/json"
            case "webmanifest": "application/manifest+json"
            default: "text/html; charset=utf-8"
            }
        compressed = Gzip.compress(bytes, .most).flatMap { $0.count < bytes.count ? $0 : nil }
        tag = "\"\(Base64URL.encode(Sodium.digest(bytes)))\""
    }
}
