/// What a password must be like, wherever one is chosen.
package enum PasswordRule {
    /// The fewest characters.
    package static let shortest = 8
    /// More than anyone types; hashing takes longer with length.
    package static let longestBytes = 1024

    /// Checks a password that somebody chooses.
    ///
    /// - Parameter uid: whose it is to be: a name is no secret.
    /// - Throws: ``TodoError/invalid(_:)``, which says what is wrong with it.
    package static func check(_ password: String, of uid: String) throws(TodoError) {
        guard password.utf8.count <= longestBytes else {
            throw .invalid("the password must have at most \(longestBytes) bytes")
        }
        guard password.count >= shortest else {
            throw .invalid("the password must have at least \(shortest) characters")
        }
        guard password.lowercased() != uid.lowercased() else {
            throw .invalid("the password must be another than the user's name")
        }
    }
}
