import TodoMate

/// Where a reader of a board has got to with each of its users: the `id:` of a board's events.
///
///     b1.q83vASNFZ4kAAAAA…
///
/// After `b1.` come 15 bytes a user in base64url, which makes 20 characters without padding: 22 bits of a hash of the uid
/// and 2 bits for the access that the reader had, 5 bytes of the version and 7 of the microseconds of the change id. Users
/// are found by their hash, so that a reader may come back for other users or in another order. A cursor is not signed:
/// what it names is looked up in the log, and what its access claims is compared with what the reader has now.
struct BoardCursor {
    private static let prefix = "b1."
    private static let entryBytes = 15
    private static let entryCharacters = 20
    private static let largestVersion = 1 << 40 - 1
    /// In the order of their two bits.
    private static let accesses: [Access] = [.none, .public, .followers, .own]

    /// The text, ready to be sent.
    private(set) var text: [UInt8]
    private let hashes: [UInt32]

    /// A cursor that knows no place of any of these users yet.
    init(users: [String]) {
        hashes = users.map(Self.hash)
        text = Array(Self.prefix.utf8)
        for hash in hashes { text += Self.entry(hash, .none, .zero) }
    }

    /// Notes where the reader is with the user at an index.
    mutating func set(_ index: Int, _ access: Access, _ id: ChangeID) {
        set(index, to: Self.entry(hashes[index], access, id))
    }

    /// Notes where the reader is with the user at an index, by an entry made before: all who follow one user share it.
    mutating func set(_ index: Int, to entry: [UInt8]) {
        let start = Self.prefix.utf8.count + index * Self.entryCharacters
        text.replaceSubrange(start..<start + Self.entryCharacters, with: entry)
    }

    /// The places in the text of a cursor, by the hash of the user; none for a text that is no cursor.
    static func places(_ text: String) -> [UInt32: (access: Access, id: ChangeID)] {
        guard text.hasPrefix(prefix), let bytes = Base64URL.decode(text.dropFirst(prefix.count)),
            bytes.count.isMultiple(of: entryBytes), bytes.count <= BoardQuery.mostUsers * entryBytes
        else { return [:] }
        var places: [UInt32: (access: Access, id: ChangeID)] = [:]
        for start in stride(from: 0, to: bytes.count, by: entryBytes) {
            let head = number(bytes[start..<start + 3])
            let version = number(bytes[start + 3..<start + 8])
            let access = accesses[Int(head & 3)]
            guard access != .none else { continue }
            let id = ChangeID(version: Int(version), microseconds: Int(number(bytes[start + 8..<start + entryBytes])))
            places[UInt32(head >> 2)] = (access, id)
        }
        return places
    }

    /// 22 bits of FNV-1a (Fowler, Noll and Vo): two users that share them cost a snapshot, never a wrong change.
    static func hash(_ uid: String) -> UInt32 {
        uid.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 } >> 10
    }

    /// A place in the text of a cursor.
    static func entry(_ hash: UInt32, _ access: Access, _ id: ChangeID) -> [UInt8] {
        // A version that does not fit is none: the reader will get a snapshot.
        guard id.version <= largestVersion else { return entry(hash, .none, .zero) }
        let bits = UInt64(accesses.firstIndex(of: access) ?? 0)
        let bytes =
            bigEndian(UInt64(hash) << 2 | bits, 3) + bigEndian(UInt64(id.version), 5)
            + bigEndian(UInt64(id.microseconds), 7)
        return Array(Base64URL.encode(bytes).utf8)
    }

    private static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
