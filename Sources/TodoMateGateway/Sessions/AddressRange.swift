import Foundation

/// A network of IP addresses in CIDR notation (RFC 4632, RFC 4291), such as `10.0.0.0/8` or `fd00::/8`; without a
/// length, one address.
public struct AddressRange: Sendable, Equatable {
    /// IPv4 addresses stand among the IPv6 ones that map them (RFC 4291, section 2.5.5.2).
    private let network: IPAddress
    private let length: Int

    /// Nil for a text that is no network, has bits set behind its length, or is all of the Internet.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = IPAddress(String(parts[0])) else { return nil }
        let bits = parts[0].contains(":") ? 128 : 32
        var length = bits
        if parts.count > 1 {
            guard let number = Int(parts[1]), (1...bits).contains(number), parts[1].first?.isNumber == true else {
                return nil
            }
            length = number
        }
        self.network = network
        self.length = 128 - bits + length
        guard network == network.prefix(self.length) else { return nil }
    }

    func contains(_ address: IPAddress) -> Bool { address.prefix(length) == network }
}

/// A numeric IP address.
struct IPAddress: Sendable, Equatable {
    private var bytes: [UInt8]

    /// Nil for a text that is none.
    init?(_ text: String) {
        // For C, a text ends at its first zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var six = in6_addr()
        var four = in_addr()
        if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else if inet_pton(AF_INET, text, &four) == 1 {
            bytes = Self.mapping + withUnsafeBytes(of: &four) { Array($0) }
        } else {
            return nil
        }
    }

    private static let mapping = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// The address with all bits behind the first `length` cleared.
    func prefix(_ length: Int) -> IPAddress {
        var prefix = self
        for index in bytes.indices {
            let kept = min(max(length - index * 8, 0), 8)
            prefix.bytes[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
        return prefix
    }
}
