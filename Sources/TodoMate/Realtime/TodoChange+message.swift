extension TodoChange {
    /// The message for those to whom the change is delivered as another kind of change of a todo: its `type` says so too.
    ///
    /// A todo that comes into view is `added` to those who look, and one that leaves it `removed`, whatever became of it. All
    /// the other bytes stay as they are, but for `was`: what a todo was before is told with `modified` alone. What became
    /// of the account is delivered as itself.
    package func message(as kind: ChangeKind) -> [UInt8] {
        // Nearly every delivery.
        guard kind != self.kind, kind.isOfTodo, self.kind.isOfTodo else { return message }
        let was = CanonicalMessage.was(self.kind, (statusBefore, visibilityBefore))
        return Array(CanonicalMessage.head(id, kind).utf8) + message[placeOfTodo..<message.count - was.utf8.count - 1]
            + [UInt8(ascii: "}")]
    }

    /// Where the todo begins in the message: its spelling is the documented one, whoever published it.
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
