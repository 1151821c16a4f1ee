import Foundation

/// A todo in the exact spelling that the Redis functions write, found and checked in one pass without decoding JSON.
///
///     {"id":"…","uid":"…","date":"2026-11-20","content":"…","detail":"…","status":"todo","position":3,"revision":57,
///      "createdAt":"2026-11-20T09:00:00Z","updatedAt":"…","visibility":"followers","reactions":{"👍":2}}
///
/// Older versions wrote nothing after `updatedAt`; `reactions` come when there are any.
struct CanonicalTodo {
    let id, uid, date, content, detail, status, createdAt, updatedAt: ArraySlice<UInt8>
    let position: Double
    let revision: Int
    let visibility: Visibility
    /// The raw counts by emoji; empty without reactions.
    private let reactions: [(emoji: ArraySlice<UInt8>, count: Int)]
    /// The todo's own bytes, its braces included.
    let bytes: ArraySlice<UInt8>

    /// Nil, and nothing said about the bytes, when what comes next is not spelled so.
    init?(_ scanner: inout MessageScanner) {
        let start = scanner.next
        guard
            let id = scanner.string(after: #"{"id":""#), TodoBounds.isID(id),
            let uid = scanner.string(after: #","uid":""#), TodoBounds.isUID(uid),
            let date = scanner.string(after: #","date":""#), CalendarDate(bytes: date) != nil,
            let content = scanner.string(after: #","content":""#), Self.isContent(content),
            let detail = scanner.string(after: #","detail":""#), Self.isDetail(detail),
            let status = scanner.string(after: #","status":""#), Self.status(status) != nil,
            let position = scanner.number(after: #","position":"#).flatMap(Self.position),
            let revision = scanner.number(after: #","revision":"#).flatMap(Self.revision),
            let createdAt = scanner.string(after: #","createdAt":""#), Timestamp.seconds(createdAt) != nil,
            let updatedAt = scanner.string(after: #","updatedAt":""#), Timestamp.seconds(updatedAt) != nil,
            let visibility = Self.visibility(&scanner), let reactions = Self.reactions(&scanner), scanner.skip("}")
        else { return nil }
        (self.id, self.uid, self.date, self.content, self.detail) = (id, uid, date, content, detail)
        (self.status, self.position, self.revision) = (status, position, revision)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
        (self.visibility, self.reactions) = (visibility, reactions)
        bytes = scanner.since(start)
    }

    /// The todo; nil never happens for one that the initializer accepted.
    var todo: Todo? {
        guard let date = CalendarDate(bytes: date), let content = JSONText.decode(content),
            let detail = JSONText.decode(detail), let status = Self.status(status),
            let createdAt = Timestamp.seconds(createdAt), let updatedAt = Timestamp.seconds(updatedAt)
        else { return nil }
        return Todo(
            id: String(decoding: id, as: UTF8.self),
            uid: String(decoding: uid, as: UTF8.self),
            date: date,
            content: content,
            detail: detail,
            status: status,
            position: position,
            revision: revision,
            createdAt: Date(timeIntervalSince1970: Double(createdAt)),
            updatedAt: Date(timeIntervalSince1970: Double(updatedAt)),
            visibility: visibility,
            reactions: Dictionary(
                reactions.map { (String(decoding: $0.emoji, as: UTF8.self), $0.count) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }

    /// The order of ``Todo/isInListOrder(_:_:)``: days, times and ids are ASCII, and sort as their bytes do.
    static func isInListOrder(_ left: CanonicalTodo, _ right: CanonicalTodo) -> Bool {
        if left.date != right.date { return left.date.lexicographicallyPrecedes(right.date) }
        if left.position != right.position { return left.position < right.position }
        if left.createdAt != right.createdAt { return left.createdAt.lexicographicallyPrecedes(right.createdAt) }
        return left.id.lexicographicallyPrecedes(right.id)
    }

    private static let statuses = TodoStatus.allCases.map { (bytes: Array($0.rawValue.utf8), status: $0) }

    static func status(_ bytes: ArraySlice<UInt8>) -> TodoStatus? {
        statuses.first { bytes.elementsEqual($0.bytes) }?.status
    }

    private static let visibilities = Visibility.allCases.map { (bytes: Array($0.rawValue.utf8), visibility: $0) }

    /// What older versions did not write is as they took it to be; nil when it is there and wrong.
    private static func visibility(_ scanner: inout MessageScanner) -> Visibility? {
        guard let text = scanner.string(after: #","visibility":""#) else { return .followers }
        return visibilities.first { text.elementsEqual($0.bytes) }?.visibility
    }

    private static func reactions(_ scanner: inout MessageScanner) -> [(emoji: ArraySlice<UInt8>, count: Int)]? {
        guard scanner.skip(#","reactions":{"#) else { return [] }
        var counts: [(emoji: ArraySlice<UInt8>, count: Int)] = []
        repeat {
            guard counts.count < ReactionEmoji.mostKinds, let emoji = scanner.string(after: "\""),
                TodoBounds.isReaction(emoji), let count = scanner.number(after: ":").flatMap(revision), count > 0,
                counts.last.map({ $0.emoji.lexicographicallyPrecedes(emoji) }) ?? true
            else { return nil }
            counts.append((emoji, count))
        } while scanner.skip(",")
        return scanner.skip("}") ? counts : nil
    }

    private static func position(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let number = wholeNumber(bytes).map(Double.init) ?? Double(String(decoding: bytes, as: UTF8.self)) else {
            return nil
        }
        return abs(number) <= TodoBounds.largestPosition ? number : nil
    }

    private static func revision(_ bytes: ArraySlice<UInt8>) -> Int? {
        wholeNumber(bytes) ?? Int(String(decoding: bytes, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Up to 15 digits: nearly all positions and revisions, without a text in between.
    private static func wholeNumber(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count <= 15 else { return nil }
        var number = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func isContent(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Most contents are short and plain ASCII, with a visible first character: nothing to decode.
        if bytes.count <= TodoBounds.contentLength, let first = bytes.first, first != UInt8(ascii: " "),
            JSONText.isPrintable(bytes)
        {
            return true
        }
        return JSONText.decode(bytes).map { (try? TodoBounds.content($0)) != nil } ?? false
    }

    private static func isDetail(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.count <= TodoBounds.detailLength, JSONText.isPrintable(bytes) { return true }
        return JSONText.decode(bytes).map { (try? TodoBounds.detail($0)) != nil } ?? false
    }
}
