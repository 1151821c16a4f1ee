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
}
