/// What the head of a request says about where the request ends, once it keeps to RFC 9112's grammar.
///
/// It is stricter than the RFC wants a server to be wherever two readers could understand one request in two ways.
struct RequestHead {
    /// How the body is delimited.
    enum Body: Equatable {
        case counted(Int)
        case chunked
    }

    private(set) var body = Body.counted(0)
    /// Whether the client waits to be told to go on before it sends the body.
    private(set) var wantsContinue = false

    /// - Parameter bytes: the request line and the fields, each line with its CR LF.
    init(_ bytes: [UInt8], limits: HTTPLimits) throws(HTTPFault) {
        var lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.dropLast() }[...]
        let minorVersion = try Self.minorVersion(requestLine: lines.popFirst() ?? [])
        var (lengths, codings, hosts) = ([ArraySlice<UInt8>](), [ArraySlice<UInt8>](), 0)
        for line in lines {
            let (name, value) = try Self.field(line)
            switch name {
            case "content-length": lengths.append(value)
            case "transfer-encoding": codings.append(value)
            case "host":
                hosts += 1
                guard value.allSatisfy(\.isHostByte) else { throw .malformed("the Host field") }
            case "expect":
                guard value.lowercased == "100-continue" else { throw .expectation }
                wantsContinue = minorVersion == 1
            default: break
            }
        }
        guard hosts == 1 || hosts == 0 && minorVersion == 0 else { throw .malformed("it must have one Host field") }
        // Two lengths, or a length beside chunks, mean different requests to different readers (RFC 9112, section 6.3).
        guard lengths.count + codings.count <= 1 else { throw .ambiguousLength }
        if let coding = codings.first {
            guard minorVersion == 1 else { throw .ambiguousLength }
            guard coding.lowercased == "chunked" else { throw .transferCoding }
            body = .chunked
        } else if let length = lengths.first {
            guard let count = Self.number(length) else { throw .malformed("Content-Length must be a number") }
            guard count <= limits.bodyBytes else { throw .bodyTooLarge(limits.bodyBytes) }
            body = .counted(count)
        }
    }

    /// `GET /path HTTP/1.1`, with one space between the parts; the version is 1.0 or 1.1.
    private static func minorVersion(requestLine: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        let parts = requestLine.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenByte) else {
            throw .malformed("the request line")
        }
        let version = parts[2].text
        guard version.utf8.count == 8, version.hasPrefix("HTTP/") else { throw .malformed("the version of HTTP") }
        guard version == "HTTP/1.0" || version == "HTTP/1.1" else { throw .version }
        guard let method = HTTPMethod(rawValue: parts[0].text) else { throw .unknownMethod }
        try check(target: parts[1], method)
        return version == "HTTP/1.1" ? 1 : 0
    }

    /// Only paths of this server: no absolute form, as a proxy would take it, and nothing that names a host.
    private static func check(target: ArraySlice<UInt8>, _ method: HTTPMethod) throws(HTTPFault) {
        let text = target.text
        if text == "*", method == .options { return }
        guard text.hasPrefix("/"), !text.hasPrefix("//") else {
            throw .malformed("the target must begin with one slash")
        }
        guard target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target: percent-encode what is not ASCII")
        }
    }

    /// A field's name in lower case, and its value without the space around it.
    private static func field(_ line: ArraySlice<UInt8>) throws(HTTPFault) -> (String, ArraySlice<UInt8>) {
        // A line that begins with a space would go on with the one before (obs-fold): its name is empty or no token.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isTokenByte)
        else { throw .malformed("a header field's name") }
        let value = line[(colon + 1)...]
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw .malformed("a header field's value")
        }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let first = value.firstIndex { !isSpace($0) } ?? value.endIndex
        let last = value.lastIndex { !isSpace($0) } ?? value.startIndex
        return (line[..<colon].lowercased, first < value.endIndex ? value[first...last] : [])
    }

    /// Decimal digits alone, and no more than fit.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        let isNumber = (1...18).contains(text.count) && text.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? text.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
    fileprivate var lowercased: String {
        String(decoding: map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
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
    fileprivate var isHostByte: Bool { isLetterOrDigit || "-._~:[]%".utf8.contains(self) }
}
