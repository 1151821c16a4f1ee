/// Numbers of bytes as people write and read them.
enum ByteCount {
    private static let units: [(suffix: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
        ("KB", 1000), ("B", 1), ("", 1),
    ]

    /// In binary units, to the tenth below ten: `4.1 MiB`.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1 << 10, let unit = units.first(where: { bytes >= $0.bytes }) else { return "\(bytes) B" }
        let tenths = bytes / (unit.bytes / 10)
        let number = tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10)" : "\(bytes / unit.bytes)"
        return "\(number) \(unit.suffix)"
    }

    /// Reads `200MB`, `1GiB` or `1048576`; nil for anything else.
    static func bytes(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = text.dropLast(unit.suffix.count)
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits) else {
            return nil
        }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit.bytes)
        return isTooMuch ? nil : bytes
    }
}
