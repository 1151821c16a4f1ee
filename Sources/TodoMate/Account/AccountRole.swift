/// What an account may do besides what all may.
package enum AccountRole: String, Sendable, Codable, CaseIterable {
    /// Looks after the installation: sees how much accounts have, suspends and limits them, and announces.
    case `operator`
}
