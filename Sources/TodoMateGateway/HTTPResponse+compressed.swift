import HTTPServing

extension HTTPResponse {
    /// Fewer are a packet or two in any case, and more would keep all other readers waiting for longer than 10 ms.
    private static let compressible = 2_000...1_000_000

    /// The same response with its body by gzip, for a client that takes it, where that is worth its time.
    ///
    /// Not for a body with a secret beside what others have written: its length would tell of it (BREACH).
    func compressed(for request: HTTPRequest) -> HTTPResponse {
        guard Self.compressible.contains(body.count) else { return self }
        var response = self
        response.headers["Vary"] = "Accept-Encoding"
        guard AcceptedCoding.takes("gzip", request.headers["accept-encoding"]), let bytes = Gzip.compress(body, .little)
        else {
            return response
        }
        response.headers["Content-Encoding"] = "gzip"
        response.body = bytes
        return response
    }
}
