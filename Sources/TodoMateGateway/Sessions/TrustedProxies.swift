import HTTPServing

/// The proxies in front of the workers whose headers are trusted.
///
/// A proxy appends the address that it was called from to `X-Forwarded-For`; anything before it may be forged.
/// So the list is read from its end, as nginx's `real_ip_recursive` does, and no further than trusted proxies vouch for it.
public struct TrustedProxies: Sendable, Equatable {
    private let ranges: [AddressRange]

    /// The proxies in these networks; none by default.
    public init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// The address of the client that a request comes from.
    func client(of request: HTTPRequest) -> String {
        guard !ranges.isEmpty, isTrusted(request.remoteAddress) else { return request.remoteAddress }
        var client = request.remoteAddress
        let hops = request.headers.values(of: "x-forwarded-for").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            let hop = hop.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            // The one who wrote this is the last that is known.
            guard IPAddress(String(hop)) != nil else { return client }
            client = String(hop)
            guard isTrusted(client) else { return client }
        }
        return client
    }

    /// Whether a trusted proxy says that the client used TLS (`X-Forwarded-Proto`). The last value is that of the
    /// proxy in front of this worker; anything before it may be forged.
    func sayTLS(of request: HTTPRequest) -> Bool {
        guard !ranges.isEmpty, isTrusted(request.remoteAddress) else { return false }
        let words = request.headers.values(of: "x-forwarded-proto").flatMap { $0.split(separator: ",") }
        return words.last?.filter { $0 != " " && $0 != "\t" }.lowercased() == "https"
    }

    private func isTrusted(_ text: String) -> Bool {
        guard let address = IPAddress(text) else { return false }
        return ranges.contains { $0.contains(address) }
    }
}
