import Foundation

/// Addresses as those who use them see them.
enum NetworkAddress {
    /// What stands for one client: an IPv4 address, or the /64 network that an IPv6 client has all of.
    static func client(_ address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: &bytes) { bytes in
            let isMappedIPv4 = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            if isMappedIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
            return bytes.prefix(8).map { String(format: "%02x", $0) }.joined() + "/64"
        }
    }

    /// The network of an address, which says where a user came from but not who: the /24 of an IPv4
    /// address, the /48 of an IPv6 one. Nil for a text that is no address.
    static func surroundings(of address: String) -> String? {
        let client = client(address)
        if !address.contains(":") || client.contains(".") {
            let parts = client.split(separator: ".")
            return parts.count == 4 ? parts.prefix(3).joined(separator: ".") + ".0/24" : nil
        }
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        withUnsafeMutableBytes(of: &bytes) { for index in 6..<16 { $0[index] = 0 } }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/48"
    }
}
