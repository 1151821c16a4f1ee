/// What a user's name looks like: names with the same look are mistaken for each other.
///
/// After the skeletons of Unicode Technical Standard 39, section 4, as far as it concerns the letters, digits and signs of names;
/// besides, small and capital letters count as the same, and so an `i` as the `l` that its capital looks like.
package enum NameLikeness {
    /// The look of a name, itself made of the characters of names: `a1ice` and `AIice` look like `allce`, `rnike` like `mlke`.
    package static func look(of uid: String) -> String {
        uid.lowercased()
            .replacing("i", with: "l").replacing("1", with: "l").replacing("0", with: "o")
            .replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Whether two names are different and look alike.
    package static func areAlike(_ uid: String, _ other: String) -> Bool {
        uid != other && look(of: uid) == look(of: other)
    }
}
