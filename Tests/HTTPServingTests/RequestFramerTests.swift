import Testing

@testable import HTTPServing

/// Bytes, what becomes of them, and why.
struct FramingCase: Sendable, CustomTestStringConvertible {
    var bytes: String
    /// The status of the refusal; nil for a request that is whole.
    var status: Int?
    var unread = 0

    init(_ bytes: String, _ status: Int?, unread: Int = 0) {
        (self.bytes, self.status, self.unread) = (bytes, status, unread)
    }

    var testDescription: String { "\(status ?? 200) \(bytes.prefix(60).debugDescription)" }

    static func fields(_ fields: String, _ status: Int?, body: String = "", unread: Int = 0) -> FramingCase {
        FramingCase("POST /length HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)", status, unread: unread)
    }

    static func line(_ line: String, _ status: Int?) -> FramingCase {
        FramingCase("\(line)\r\nHost: h\r\n\r\n", status)
    }

    static func chunks(_ body: String, _ status: Int?, unread: Int = 0) -> FramingCase {
        fields("Transfer-Encoding: chunked", status, body: body, unread: unread)
    }

    static let lengths: [FramingCase] = [
        fields("Content-Length: 5", nil, body: "hello"),
        fields("Content-Length: 5", nil, body: "helloGET /", unread: 5),
        fields("Content-Length: 0", nil), fields("content-length:\t5 \t", nil, body: "hello"),
        fields("Content-Length: 5\r\nContent-Length: 5", 400), fields("Content-Length: 5\r\nContent-Length: 6", 400),
        fields("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        fields("Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
        fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", 400),
        fields("Content-Length: 5, 5", 400), fields("Content-Length: +5", 400), fields("Content-Length: -5", 400),
        fields("Content-Length: 0x5", 400), fields("Content-Length: 5 5", 400), fields("Content-Length: ", 400),
        fields("Content-Length: 18446744073709551621", 400), fields("Content-Length: 9223372036854775808", 400),
        fields("Content-Length: 5.0", 400), fields("Content-Length: ５", 400),
        fields("Content-Length: 65536", nil, body: String(repeating: "x", count: 65_536)),
        fields("Content-Length: 65537", 413), fields("Content-Length: 999999999999999999", 413),
        fields("Transfer-Encoding: xchunked", 501), fields("Transfer-Encoding: chunked, identity", 501),
        fields("Transfer-Encoding: gzip, chunked", 501), fields("Transfer-Encoding: identity", 501),
        fields("Transfer-Encoding: \u{0B}chunked", 400), fields("Transfer-Encoding : chunked", 400),
        fields(" Transfer-Encoding: chunked", 400), fields("X: 1\r\n Transfer-Encoding: chunked", 400),
        FramingCase("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ]

    static let chunked: [FramingCase] = [
        chunks("5\r\nhello\r\n0\r\n\r\n", nil), chunks("005\r\nhello\r\n0\r\n\r\nGET", nil, unread: 3),
        chunks("A\r\n0123456789\r\n0\r\n\r\n", nil), chunks("a\r\n0123456789\r\n0\r\n\r\n", nil),
        chunks("\r\n", 400), chunks("-5\r\n", 400), chunks("+5\r\n", 400), chunks("0x5\r\n", 400),
        chunks(" 5\r\n", 400), chunks("5 \r\n", 400), chunks("5;ext=1\r\n", 400), chunks("5\n", 400),
        chunks("g\r\n", 400), chunks("100000000\r\n", 400), chunks("fffffffffffffffff\r\n", 400),
        chunks("5\r\nhello!\r\n", 400), chunks("5\r\nhello\n", 400), chunks("0\r\nHost: evil\r\n\r\n", 400),
        chunks("10001\r\n", 413), chunks("FFFFFFFF\r\n", 413),
        chunks("8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n8001\r\n", 413),
        // More frame than body.
        chunks(String(repeating: "1\r\nx\r\n", count: 20_000), 413),
    ]

    static let heads: [FramingCase] = [
        line("GET / HTTP/1.1", nil), line("GET /?a=b HTTP/1.1", nil), line("OPTIONS * HTTP/1.1", nil),
        line("GET / HTTP/1.0", nil), FramingCase("GET / HTTP/1.0\r\n\r\n", nil),
        FramingCase("GET / HTTP/1.1\r\n\r\n", 400), FramingCase("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        FramingCase("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        FramingCase("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
        line("GET /", 400), line("GET / HTTP/1.1 ", 400), line("GET  / HTTP/1.1", 400), line(" GET / HTTP/1.1", 400),
        line("GET\t/ HTTP/1.1", 400), line("GET / http/1.1", 400), line("GET / HTTP/1", 400),
        line("GET / HTTP/1.1.1", 400), line("GET / HTTP/0.9", 505), line("GET / HTTP/2.0", 505),
        line("GET / HTTP/1.2", 505), FramingCase("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        line("get / HTTP/1.1", 501), line("TRACE / HTTP/1.1", 501), line("CONNECT h:80 HTTP/1.1", 501),
        line("BREW / HTTP/1.1", 501), line("G(T / HTTP/1.1", 400), line("GET * HTTP/1.1", 400),
        line("GET http://h/ HTTP/1.1", 400), line("GET h:80 HTTP/1.1", 400), line("GET //h/ HTTP/1.1", 400),
        line("GET /a#b HTTP/1.1", 400), line("GET /한 HTTP/1.1", 400), line("GET /a\u{0}b HTTP/1.1", 400),
        line("GET /a\u{7F}b HTTP/1.1", 400), FramingCase("\u{16}\u{3}\u{1}", 400), FramingCase("\r\n", 400),
        FramingCase("GET / HTTP/1.1\nHost: h\n\n", 400), FramingCase("GET / HTTP/1.1\rHost: h", 400),
        FramingCase("GET / HTTP/1.1\r\nHost: h\n\r\n", 400),
        fields("no colon", 400), fields(": empty", 400), fields("a b: c", 400), fields("a\u{0}: c", 400),
        fields("a: b\u{0}c", 400), fields("a: b\u{1}c", 400), fields("ä: b", 400), fields("a: ä", nil),
        fields("Expect: 200-ok", 417), fields("Expect: 100-continue", nil),
        FramingCase("GET /" + String(repeating: "a", count: 8192), 414),
        fields("a: " + String(repeating: "a", count: 8192), 431),
        fields(String(repeating: "a: b\r\n", count: 10_000), 431),
        fields(repeatElement("a:", count: 99).joined(separator: "\r\n"), nil),
        fields(repeatElement("a:", count: 100).joined(separator: "\r\n"), 431),
    ]
}

@Suite("The end of a request")
struct RequestFramerTests {
    /// What a framer makes of bytes that come in pieces of this size.
    private func outcome(_ bytes: [UInt8], _ size: Int) -> (status: Int?, unread: Int?) {
        var framer = RequestFramer(limits: HTTPLimits())
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(HTTPFault) {
                let progress = try framer.feed(rest.prefix(size))
                rest = rest.dropFirst(size)
                if case .whole(let unread) = progress { return (nil, unread + rest.count) }
            } catch {
                return (error.status, nil)
            }
        }
        return (nil, nil)
    }

    @Test("is where it is said, and said clearly", arguments: FramingCase.lengths + FramingCase.chunked)
    func bodies(_ framing: FramingCase) { check(framing) }

    @Test("comes only after a well-formed head", arguments: FramingCase.heads)
    func heads(_ framing: FramingCase) { check(framing) }

    private func check(_ framing: FramingCase) {
        let bytes = Array(framing.bytes.utf8)
        // In one piece, in pieces that break everywhere, and byte by byte.
        for size in [bytes.count, 7, 1] {
            let (status, unread) = outcome(bytes, size)
            #expect(status == framing.status, "in pieces of \(size)")
            #expect(unread == (framing.status == nil ? framing.unread : nil), "in pieces of \(size)")
        }
    }
}

@Suite("The wheel of deadlines")
struct DeadlineWheelTests {
    @Test("brings up each item at its tick, and none that was removed")
    func ticks() {
        var wheel = DeadlineWheel<Int>(slots: 8)
        let slots = [1, 3, 3, 7, 100].enumerated().map { wheel.add($0.offset, after: $0.element) }
        wheel.remove(2, from: slots[2])
        let due = (1...8).map { _ in wheel.advance().sorted() }
        // What lies further ahead than the wheel is wide comes up early, to be put back.
        #expect(due == [[0], [], [1], [], [], [], [3, 4], []])
    }
}
