import Foundation

/// Turns a host name into addresses, off the loop: `getaddrinfo` blocks.
enum HostResolver {
    /// The numeric addresses of `host`, in the system's order of preference.
    ///
    /// - Returns: the addresses, or the reason why there are none.
    static func addresses(of host: String) async -> Result<[String], RedisLink.LinkError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: lookUp(host)) }
        }
    }

    private static func lookUp(_ host: String) -> Result<[String], RedisLink.LinkError> {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &first)
        guard status == 0 else {
            return .failure(
                .init(reason: "the name \(host) does not resolve: \(String(cString: gai_strerror(status)))")
            )
        }
        defer { freeaddrinfo(first) }
        var found: [String] = []
        var next = first
        while let info = next {
            if let address = numeric(info.pointee) { found.append(address) }
            next = info.pointee.ai_next
        }
        return .success(found)
    }

    private static func numeric(_ info: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
