import TodoMate

/// The cursor of another user's stream: the `id:` of its events, `57-1763677123456789-followers`.
///
/// A change id and what the reader could see by then. The change alone would not do: what the reader's own side of the pair
/// decides leaves no trace in the owner's log. It is not signed: what it claims is compared with what may be seen now.
struct ViewerPlace: CustomStringConvertible {
    let id: ChangeID
    let access: Access

    init(_ id: ChangeID, _ access: Access) {
        self.id = id
        self.access = access
    }

    /// Nil for any other text, a change id alone among them: such a reader begins with a snapshot.
    init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-"), let id = ChangeID(text[..<dash]),
            let access = Access(rawValue: String(text[text.index(after: dash)...]))
        else { return nil }
        self.init(id, access)
    }

    var description: String { "\(id)-\(access.rawValue)" }
}
