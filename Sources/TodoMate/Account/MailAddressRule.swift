/// What an address of mail must be like: a dot-atom of RFC 5322 at a name of hosts, in ASCII.
///
/// Nothing in one has to be quoted anywhere, so that none can add to a command or a header. The Redis functions check the same.
package enum MailAddressRule {
    private static let longest = 254
    private static let longestLocalPart = 64
    private static let longestLabel = 63

    /// Checks an address.
    ///
    /// - Throws: ``TodoError/invalid(_:)``, which says what one looks like.
    package static func check(_ text: String) throws(TodoError) {
        guard isAddress(text) else {
            throw .invalid("an address of mail must look like alice@example.org, in ASCII")
        }
    }

    /// Whether a text is an address.
    package static func isAddress(_ text: String) -> Bool {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= longest, parts[0].count <= longestLocalPart else { return false }
        return dotted(parts[0]).allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomic) }
            && dotted(parts[1]).allSatisfy { label in
                (1...longestLabel).contains(label.count)
                    && label.allSatisfy { TodoBounds.isLetterOrDigit($0) || $0 == hyphen }
                    && label.first != hyphen && label.last != hyphen
            }
    }

    /// The same address with its host in small letters, as it is kept.
    package static func normal(_ address: String) -> String {
        guard let at = address.firstIndex(of: "@") else { return address }
        return address[..<at] + address[at...].lowercased()
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let signs = Set("!#$%&'*+/=?^_`{|}~-".utf8)

    private static func dotted(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }

    private static func isAtomic(_ byte: UInt8) -> Bool { TodoBounds.isLetterOrDigit(byte) || signs.contains(byte) }
}
