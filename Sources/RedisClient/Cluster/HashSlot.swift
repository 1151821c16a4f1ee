/// Which of a cluster's 16,384 slots a key or shard channel is in.
///
/// The CRC-16 (XMODEM) of the hash tag, or of the whole name where there is none; see
/// [the cluster specification](https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model).
package enum HashSlot {
    /// How many there are.
    package static let count = 16_384

    /// The slot of a name.
    package static func of(_ name: some StringProtocol) -> Int { of(bytes: Array(name.utf8)[...]) }

    /// The slot of a name of any bytes.
    static func of(bytes name: ArraySlice<UInt8>) -> Int {
        var checksum: UInt16 = 0
        for byte in tag(of: name) { checksum = checksum << 8 ^ table[Int(checksum >> 8 ^ UInt16(byte))] }
        return Int(checksum) % count
    }

    /// A number that as a hash tag is in one of the slots that are wanted; nil if there is none of them.
    package static func tag(in isWanted: (Int) -> Bool) -> Int? { (0..<16 * count).first { isWanted(of(String($0))) } }

    /// What is between the first brace and the next that closes it, unless that is nothing.
    private static func tag(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let open = name.firstIndex(of: UInt8(ascii: "{")) else { return name }
        let rest = name[(open + 1)...]
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")), close > rest.startIndex else { return name }
        return rest[..<close]
    }

    /// A byte's share of the checksum, by the polynomial x^16 + x^12 + x^5 + 1.
    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
    }
}
