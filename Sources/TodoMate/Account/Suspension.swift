/// Since when and why an operator keeps somebody from signing in.
package struct Suspension: Sendable, Equatable, Codable {
    /// Since when, in seconds since 1970.
    package var at: Int
    /// Why, as the person is told; nil where that was not said.
    package var reason: String?

    /// The most characters of a reason.
    package static let mostOfReason = 200

    /// A suspension of these parts.
    package init(at: Int, reason: String? = nil) { (self.at, self.reason) = (at, reason) }

    /// A reason as it is stored: empty where it says nothing.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` for one that is no line, or too long.
    package static func checked(_ reason: String) throws(TodoError) -> String {
        let isLine = reason.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E: false
            default: true
            }
        }
        guard isLine, reason.unicodeScalars.count <= mostOfReason else {
            throw .invalid("reason must be one line of at most \(mostOfReason) characters")
        }
        return reason.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? "" : reason
    }
}
