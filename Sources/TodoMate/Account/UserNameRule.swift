/// What a name must be that somebody chooses: what any name is, and something that can stand in a path.
package enum UserNameRule {
    /// Checks a name.
    ///
    /// - Throws: ``TodoError/invalid(_:)``.
    package static func check(_ uid: String) throws(TodoError) {
        try TodoBounds.uid(uid)
        guard uid.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw .invalid("a name needs a letter or a digit")
        }
    }
}
