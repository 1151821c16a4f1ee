import HTTPServing

/// Header fields that keep other sites' pages away from every answer, but for those that are let.
enum SecurityHeaders {
    /// What every answer has; no route sets any of them.
    static let everywhere: HTTPHeaders = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]

    /// Lets pages of these origins read an answer.
    static func open(_ headers: inout HTTPHeaders, for request: HTTPRequest, to allowedOrigins: Set<String>) {
        // Also without an allowed origin: a cache must not hand this answer to a page that would get another.
        headers["Vary"] = headers["Vary"].map { "\($0), Origin" } ?? "Origin"
        guard let origin = request.headers["origin"], allowedOrigins.contains(origin) else { return }
        headers["Access-Control-Allow-Origin"] = origin
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        headers["Access-Control-Expose-Headers"] = "ETag, Location, Idempotency-Replayed"
        guard request.method == .options else { return }
        headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, PATCH, DELETE"
        headers["Access-Control-Allow-Headers"] =
            "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
        headers["Access-Control-Max-Age"] = "600"
    }
}
