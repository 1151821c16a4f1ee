/// The head of a request that keeps to RFC 9112's grammar.
///
/// It is stricter than the RFC wants a server to be wherever two readers could understand one request in two ways.
struct RequestHead {
    /// How the body is delimited.
    enum Body: Equatable {
        case counted(Int)
        case chunked
    }

    let method: HTTPMethod
    /// Path and query as they were sent.
    let target: String
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    let minorVersion: Int
    private(set) var headers = HTTPHeaders()
    private(set) var body = Body.counted(0)
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var wantsContinue = false

    /// - Parameter bytes: the request line and the fields, each line with its CR LF.
    init(_ bytes: ArraySlice<UInt8>, limits: HTTPLimits) throws(HTTPFault) {
        // Slices of the memory itself: those of an array count references.
        self = try bytes.withUnsafeBufferPointer { (memory) throws(HTTPFault) in try Self(memory[...], limits) }
    }

    private init(_ bytes: HeadBytes, _ limits: HTTPLimits) throws(HTTPFault) {
        var rest = bytes
        (method, target, minorVersion) = try Self.requestLine(rest.takeLine())
        var (length, coding): (HeadBytes?, HeadBytes?) = (nil, nil)
        var (bodies, hosts, credentials) = (0, 0, 0)
        while !rest.isEmpty {
            let (name, value) = try Self.field(rest.takeLine())
            headers.add(checked: name.text, value.text)
            if name.isField("content-length") {
                length = value
                bodies += 1
            } else if name.isField("transfer-encoding") {
                coding = value
                bodies += 1
            } else if name.isField("host") {
                hosts += 1
                guard value.allSatisfy(\.isHostByte) else { throw .malformed("the Host field") }
            } else if name.isField("authorization") {
                credentials += 1
            } else if name.isField("expect") {
                guard value.lowercased == "100-continue" else { throw .expectation }
                wantsContinue = minorVersion == 1
            }
        }
        guard hosts == 1 || hosts == 0 && minorVersion == 0 else { throw .malformed("it must have one Host field") }
        // A proxy that looks at one of two may have let in somebody else than the one who is taken here.
        guard credentials <= 1 else { throw .malformed("it may have one Authorization field") }
        // Two lengths, or a length beside chunks, mean different requests to different readers (RFC 9112, section 6.3).
        guard bodies <= 1 else { throw .ambiguousLength }
        if let coding {
            guard minorVersion == 1 else { throw .ambiguousLength }
            guard coding.lowercased == "chunked" else { throw .transferCoding }
            body = .chunked
        } else if let length {
            guard let count = Self.number(length) else { throw .malformed("Content-Length must be a number") }
            guard count <= limits.bodyBytes else { throw .bodyTooLarge(limits.bodyBytes) }
            body = .counted(count)
        }
    }

    /// `GET /path HTTP/1.1`, with one space between the parts; the version is 1.0 or 1.1.
    private static func requestLine(_ line: HeadBytes) throws(HTTPFault) -> (HTTPMethod, String, Int) {
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space), let second = line[(first + 1)...].firstIndex(of: space),
            case let (method, target) = (line[..<first], line[(first + 1)..<second]),
            !method.isEmpty, method.allSatisfy(\.isTokenByte), !line[(second + 1)...].contains(space)
        else { throw .malformed("the request line") }
        let version = line[(second + 1)...].text
        guard version.utf8.count == 8, version.hasPrefix("HTTP/") else { throw .malformed("the version of HTTP") }
        guard version == "HTTP/1.0" || version == "HTTP/1.1" else { throw .version }
        guard let method = HTTPMethod(rawValue: method.text) else { throw .unknownMethod }
        try check(target: target, method)
        return (method, target.text, version == "HTTP/1.1" ? 1 : 0)
    }

    /// Only paths of this server: no absolute form, as a proxy would take it, and nothing that names a host.
    private static func check(target: HeadBytes, _ method: HTTPMethod) throws(HTTPFault) {
        let slash = UInt8(ascii: "/")
        if method == .options, target.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) { return }
        guard target.first == slash, target.dropFirst().first != slash else {
            throw .malformed("the target must begin with one slash")
        }
        guard target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target: percent-encode what is not ASCII")
        }
    }

    /// A field's name, and its value without the space around it.
    private static func field(_ line: HeadBytes) throws(HTTPFault) -> (name: HeadBytes, value: HeadBytes) {
        // A line that begins with a space would continue the one before (obs-fold): its name is empty or no token.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isTokenByte)
        else { throw .malformed("a header field's name") }
        let value = line[(colon + 1)...]
        guard !UnsafeBufferPointer(rebasing: value).hasControl else { throw .malformed("a header field's value") }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let first = value.firstIndex { !isSpace($0) } ?? value.endIndex
        let last = value.lastIndex { !isSpace($0) } ?? value.startIndex
        return (line[..<colon], first < value.endIndex ? value[first...last] : value[..<value.startIndex])
    }

    /// Decimal digits alone, and no more than fit.
    private static func number(_ text: HeadBytes) -> Int? {
        let isNumber = (1...18).contains(text.count) && text.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? text.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }
}

private typealias HeadBytes = Slice<UnsafeBufferPointer<UInt8>>

extension HeadBytes {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
    fileprivate var lowercased: String {
        String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Takes the first line away and returns it without its CR LF.
    fileprivate mutating func takeLine() -> HeadBytes {
        let end = firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
        defer { self = self[Swift.min(end + 1, endIndex)...] }
        return self[..<end].dropLast()
    }

    /// Whether a name of token bytes is this one, of lower-case letters and dashes.
    fileprivate func isField(_ name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount && indices.allSatisfy { self[$0] | 0x20 == name.utf8Start[$0 - startIndex] }
    }
}

extension UInt8 {
    private var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }

    /// RFC 9110, section 5.6.2.
    fileprivate var isTokenByte: Bool {
        switch self {
        // ! #$%&' *+ -. ^_` | ~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: isLetterOrDigit
        }
    }

    /// Letters, digits and what host names, addresses and ports have besides.
    fileprivate var isHostByte: Bool {
        switch self {
        // - . _ ~ : [ ] %
        case 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x5B, 0x5D, 0x25: true
        default: isLetterOrDigit
        }
    }
}
