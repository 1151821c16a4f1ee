extension TodoChange {
    /// The message for readers to whom the change is delivered as another kind of change: its `type` says so too.
    ///
    /// A todo that comes into view is `added`, and one that leaves it `removed`, whatever the change was. All other bytes stay as
    /// they are, but for `was`: only `modified` says what a todo was before. What became
    /// of the account is delivered as itself.
    package func message(as kind: ChangeKind) -> [UInt8] {
        // Nearly every delivery.
        guard kind != self.kind, kind.isOfTodo, self.kind.isOfTodo else { return message }
        let was = CanonicalMessage.was(self.kind, (statusBefore, visibilityBefore))
        return Array(CanonicalMessage.head(id, kind).utf8) + message[placeOfTodo..<message.count - was.utf8.count - 1]
            + [UInt8(ascii: "}")]
    }

    /// Where the todo begins in the message, which is always in the documented spelling.
    private var placeOfTodo: Int {
        message.withUnsafeBufferPointer { bytes in
            var scanner = MessageScanner(bytes)
            let hasID = scanner.string(after: #"{"id":""#) != nil
            _ = scanner.string(after: hasID ? #","type":""# : #"{"type":""#)
            _ = scanner.skip(#","todo":"#)
            return scanner.next
        }
    }
}
