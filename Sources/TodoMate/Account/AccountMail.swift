/// Where an account has mail sent to.
package struct AccountMail: Sendable, Equatable, Codable {
    /// The address that somebody who reads it has confirmed.
    package var address: String?
    /// One that waits for that.
    package var pending: String?
    /// Until when it does, in seconds since 1970.
    package var until: Int?

    package init(address: String? = nil, pending: String? = nil, until: Int? = nil) {
        (self.address, self.pending, self.until) = (address, pending, until)
    }
}
