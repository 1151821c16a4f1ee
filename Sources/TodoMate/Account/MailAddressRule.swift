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
        guard isAddress(text) else { throw invalid(", in ASCII") }
    }

    private static func invalid(_ rest: String) -> TodoError {
        .invalid("an address of mail must look like alice@example.org\(rest)")
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

    /// An address as it is kept: its host in small letters, and in the ASCII that names of other letters have (RFC 5890).
    ///
    /// - Throws: ``TodoError/invalid(_:)``, which says what one looks like. Other letters before the @ are refused: servers of mail
    ///   take them only where all of them on the way have the extension SMTPUTF8, which few have.
    package static func read(_ text: String) throws(TodoError) -> String {
        // In ASCII no name gets shorter than a quarter of its bytes.
        guard text.utf8.count <= 4 * longest, let at = text.lastIndex(of: "@") else { throw invalid("") }
        let (name, host) = (String(text[..<at]), String(text[text.index(after: at)...]))
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { throw invalid(": before the @, ASCII is all that mail takes") }
        let address =
            name + "@" + (host.utf8.allSatisfy { $0 < 0x80 } ? host.lowercased() : HostName.ascii(host) ?? host)
        try check(address)
        return address
    }

    /// What addresses have in common that the same person is likely to read: in small letters, without dots and without what follows
    /// a +. So nobody gets more mail than one should by being named in many ways; who is somebody else there shares a budget.
    package static func mailbox(_ address: String) -> String {
        let parts = address.lowercased().split(separator: "@", maxSplits: 1)
        guard parts.count == 2 else { return address.lowercased() }
        let name = parts[0].prefix { $0 != "+" }.filter { $0 != "." }
        return "\(name.isEmpty ? String(parts[0]) : name)@\(parts[1])"
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let signs = Set("!#$%&'*+/=?^_`{|}~-".utf8)

    private static func dotted(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }

    private static func isAtomic(_ byte: UInt8) -> Bool { TodoBounds.isLetterOrDigit(byte) || signs.contains(byte) }
}
