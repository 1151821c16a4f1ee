extension TodoChange {
    /// Checks what arrived on the channel of `uid`: a message, behind which the id of the change before may stand, as
    /// `…,"after":"56-1763677123456000"}`.
    ///
    /// In a cluster, a primary that was replaced while it slept publishes once more what it does next, and the bus carries that to
    /// those who are subscribed at its successor. Versions alone would not tell its changes from those of the successor.
    ///
    /// - Throws: ``MessageRefusal`` when it is not a valid message about this user's todos.
    package convenience init(published bytes: UnsafeBufferPointer<UInt8>, uid: String) throws(MessageRefusal) {
        guard let (length, id) = Self.ending(of: bytes) else {
            try self.init(message: Array(bytes), uid: uid)
            return
        }
        let message = [UInt8](unsafeUninitializedCapacity: length + 1) { space, count in
            _ = space.update(fromContentsOf: bytes[..<length])
            space[length] = UInt8(ascii: "}")
            count = length + 1
        }
        try self.init(message: message, uid: uid)
        before = id
    }

    /// How long the message is without the id behind it, and that id; nil where there is none.
    private static func ending(of bytes: UnsafeBufferPointer<UInt8>) -> (length: Int, id: ChangeID)? {
        let key = Array(#","after":""#.utf8)
        // Nearly all end with the braces of a todo and of the message.
        guard bytes.count > key.count + 2, bytes[bytes.count - 1] == UInt8(ascii: "}"),
            bytes[bytes.count - 2] == UInt8(ascii: "\"")
        else { return nil }
        let end = bytes.count - 2
        guard let quote = bytes[..<end].lastIndex(of: UInt8(ascii: "\"")), quote >= key.count - 1,
            bytes[(quote + 1 - key.count)...quote].elementsEqual(key),
            let id = ChangeID(bytes: bytes[(quote + 1)..<end])
        else { return nil }
        return (quote + 1 - key.count, id)
    }
}
