import Foundation

/// A todo in the exact spelling that the Redis functions write, found and checked in one pass without decoding JSON.
///
///     {"id":"…","uid":"…","date":"2026-11-20","content":"…","detail":"…","status":"todo","position":3,"revision":57,
///      "micros":1763677123456789,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"…","visibility":"followers","time":"09:30","goal":"g1","reactions":{"👍":2}}
///
/// Older versions wrote no `micros` and nothing after `updatedAt`; `time`, `goal` and `reactions` come when there are any.
struct CanonicalTodo {
    /// Where its parts lie in `source`: ranges, as eight slices would each count a reference to the bytes.
    private let id, uid, date, content, detail: Range<Int>
    private let status: TodoStatus
    /// In seconds since 1970.
    private let createdAt, updatedAt: Int
    /// Its day and time, as ``Todo/moment(_:_:)`` has them.
    private let moment: Int
    private let time: TimeOfDay?
    private let goal: Range<Int>?
    private let position: Double
    private let revision: Int
    private let micros: Int
    let visibility: Visibility
    /// Where each emoji lies, and its count; empty without reactions.
    private let reactions: [(emoji: Range<Int>, count: Int)]
    private let place: Range<Int>
    private let source: [UInt8]

    /// The todo's own bytes, its braces included.
    var bytes: ArraySlice<UInt8> { source[place] }
    /// What it is called.
    var name: String { String(decoding: source[id], as: UTF8.self) }
    /// Whose it is.
    var uidBytes: ArraySlice<UInt8> { source[uid] }

    /// Nil when what follows is not spelled so, which says nothing about its validity.
    ///
    /// - Parameters:
    ///   - scanner: goes over the bytes of `source`, and on behind the todo.
    ///   - source: kept for as long as the todo's parts may be read.
    init?(_ scanner: inout MessageScanner, of source: [UInt8]) {
        let start = scanner.next
        guard
            let id = scanner.string(after: #"{"id":""#), TodoBounds.isID(id),
            let uid = scanner.string(after: #","uid":""#), TodoBounds.isUID(uid),
            let date = scanner.string(after: #","date":""#), let day = CalendarDate(bytes: date)?.ordinal,
            let content = scanner.string(after: #","content":""#), Self.isContent(content),
            let detail = scanner.string(after: #","detail":""#), Self.isDetail(detail),
            let status = scanner.string(after: #","status":""#).flatMap(Self.status),
            let position = scanner.number(after: #","position":"#).flatMap(Self.position),
            let revision = scanner.number(after: #","revision":"#).flatMap(Self.revision),
            let micros = Self.micros(&scanner),
            let created = scanner.string(after: #","createdAt":""#), let createdAt = Timestamp.seconds(created),
            // A todo that is new has the same twice.
            let updated = scanner.string(after: #","updatedAt":""#),
            let updatedAt = updated.isSame(as: created) ? createdAt : Timestamp.seconds(updated),
            let visibility = Self.visibility(&scanner)
        else { return nil }
        // Nearly all end here.
        if scanner.skip("}") {
            (time, goal, reactions) = (nil, nil, [])
        } else {
            guard let time = Self.time(&scanner), let goal = Self.goal(&scanner),
                let reactions = Self.reactions(&scanner),
                scanner.skip("}")
            else { return nil }
            (self.time, self.goal, self.reactions) = (time.time, goal, reactions)
        }
        (self.id, self.uid, self.date) = (id.place, uid.place, date.place)
        (self.content, self.detail, self.status) = (content.place, detail.place, status)
        (self.position, self.revision, self.micros) = (position, revision, micros)
        moment = Todo.moment(day, time)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
        self.visibility = visibility
        place = start..<scanner.next
        self.source = source
    }

    /// The todo; nil never happens for one that the initializer accepted.
    var todo: Todo? {
        guard let date = CalendarDate(bytes: source[date]), let content = JSONText.decode(source[content]),
            let detail = JSONText.decode(source[detail])
        else { return nil }
        return Todo(
            id: String(decoding: source[id], as: UTF8.self),
            uid: String(decoding: source[uid], as: UTF8.self),
            date: date,
            time: time,
            content: content,
            detail: detail,
            status: status,
            position: position,
            revision: revision,
            micros: micros,
            createdAt: Date(timeIntervalSince1970: Double(createdAt)),
            updatedAt: Date(timeIntervalSince1970: Double(updatedAt)),
            visibility: visibility,
            goal: goal.map { String(decoding: source[$0], as: UTF8.self) },
            reactions: reactions.isEmpty ? [:] : countsByEmoji
        )
    }

    private var countsByEmoji: [String: Int] {
        Dictionary(
            reactions.map { (String(decoding: source[$0.emoji], as: UTF8.self), $0.count) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The order of ``Todo/isInListOrder(_:_:)``: ids are ASCII, and sort as their bytes do.
    static func isInListOrder(_ left: CanonicalTodo, _ right: CanonicalTodo) -> Bool {
        if left.moment != right.moment { return left.moment < right.moment }
        if left.position != right.position { return left.position < right.position }
        if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
        return left.source[left.id].lexicographicallyPrecedes(right.source[right.id])
    }

    private static let statuses = TodoStatus.allCases.map { (bytes: Array($0.rawValue.utf8), status: $0) }

    static func status(_ bytes: some Collection<UInt8>) -> TodoStatus? {
        statuses.first { bytes.elementsEqual($0.bytes) }?.status
    }

    private static let visibilities = Visibility.allCases.map { (bytes: Array($0.rawValue.utf8), visibility: $0) }

    /// What older versions did not write is as they took it to be; nil when it is there and wrong.
    private static func visibility(_ scanner: inout MessageScanner) -> Visibility? {
        guard let text = scanner.string(after: #","visibility":""#) else { return .followers }
        return visibility(text)
    }

    static func visibility(_ text: MessageScanner.Text) -> Visibility? {
        visibilities.first { text.elementsEqual($0.bytes) }?.visibility
    }

    /// What is not there is no time; nil when it is there and wrong.
    private static func time(_ scanner: inout MessageScanner) -> TimeChange? {
        guard let text = scanner.string(after: #","time":""#) else { return .remove }
        return TimeOfDay(bytes: text).map { .set($0) }
    }

    /// What is not there is no goal; nil when it is there and wrong.
    private static func goal(_ scanner: inout MessageScanner) -> Range<Int>?? {
        guard let text = scanner.string(after: #","goal":""#) else { return .some(nil) }
        return TodoBounds.isID(text) ? .some(text.place) : nil
    }

    private static func reactions(_ scanner: inout MessageScanner) -> [(emoji: Range<Int>, count: Int)]? {
        guard scanner.skip(#","reactions":{"#) else { return [] }
        var counts: [(emoji: MessageScanner.Text, count: Int)] = []
        repeat {
            guard counts.count < ReactionEmoji.mostKinds, let emoji = scanner.string(after: "\""),
                TodoBounds.isReaction(emoji), let count = scanner.number(after: ":").flatMap(revision), count > 0,
                counts.last.map({ $0.emoji.lexicographicallyPrecedes(emoji) }) ?? true
            else { return nil }
            counts.append((emoji, count))
        } while scanner.skip(",")
        return scanner.skip("}") ? counts.map { ($0.emoji.place, $0.count) } : nil
    }

    private static func position(_ bytes: MessageScanner.Text) -> Double? {
        guard let number = bytes.wholeNumber.map(Double.init) ?? Double(String(decoding: bytes, as: UTF8.self)) else {
            return nil
        }
        return abs(number) <= TodoBounds.largestPosition ? number : nil
    }

    private static func revision(_ bytes: MessageScanner.Text) -> Int? {
        bytes.wholeNumber ?? Int(String(decoding: bytes, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// What older versions did not write is 0; nil when it is there and wrong.
    private static func micros(_ scanner: inout MessageScanner) -> Int? {
        // Where what follows is no number, the scanner is past what comes next, and the todo is in another spelling.
        guard let micros = scanner.wholeNumber(after: #","micros":"#) else { return 0 }
        return TodoBounds.isMicros(micros) ? micros : nil
    }

    private static func isContent(_ bytes: MessageScanner.Text) -> Bool {
        // Most contents are short and plain ASCII, with a visible first character: nothing to decode.
        if bytes.count <= TodoBounds.contentLength, let first = bytes.first, first != UInt8(ascii: " "),
            JSONText.isPrintable(bytes)
        {
            return true
        }
        return JSONText.decode(bytes).map { (try? TodoBounds.content($0)) != nil } ?? false
    }

    private static func isDetail(_ bytes: MessageScanner.Text) -> Bool {
        if bytes.count <= TodoBounds.detailLength, JSONText.isPrintable(bytes) { return true }
        return JSONText.decode(bytes).map { (try? TodoBounds.detail($0)) != nil } ?? false
    }
}

extension MessageScanner.Text {
    /// Whether it has the same bytes.
    fileprivate func isSame(as other: Self) -> Bool {
        guard count == other.count, count > 0 else { return count == other.count }
        guard let base = UnsafeBufferPointer(rebasing: self).baseAddress,
            let otherBase = UnsafeBufferPointer(rebasing: other).baseAddress
        else { return false }
        return memcmp(base, otherBase, count) == 0
    }

    /// Where it lies in the message.
    fileprivate var place: Range<Int> { startIndex..<endIndex }
}
