import Testing

@testable import TodoMate

@Suite("A name of hosts with letters of any language")
struct HostNameTests {
    // Samples of RFC 3492, section 7.1, the first one without its question mark; the others are what browsers make of them.
    @Test(
        "has one spelling in ASCII",
        arguments: [
            ("ليهمابتكلموشعربي", "xn--mgbcah9ar9a4efegftvvn"),
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            (
                "세계의모든사람들이한국어를이해한다면얼마나좋을까",
                "xn--989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
            ),
            ("MajiでKoiする5秒前", "xn--majikoi5-783gue6qz075azm5e"),
            ("münchen.example", "xn--mnchen-3ya.example"), ("MÜNCHEN.Example", "xn--mnchen-3ya.example"),
            ("mu\u{308}nchen.example", "xn--mnchen-3ya.example"), ("예.한국", "xn--2j5b.xn--3e0b707e"),
            ("\u{110B}\u{1168}.한국", "xn--2j5b.xn--3e0b707e"), ("faß.de", "xn--fa-hia.de"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("ａbc.org", "abc.org"), ("example.org", "example.org"),
        ]
    )
    func ascii(_ name: String, _ expected: String) {
        #expect(HostName.ascii(name) == expected)
    }

    @Test(
        "is none with anything else",
        arguments: [
            String(repeating: "한", count: 64), String(repeating: "a\u{301}", count: 30_000), "☃.net", "-ü.org",
            "ü-.org", "ü x.org", "ü/x.org", "ü\u{200D}.org", "\u{301}a.org",
        ]
    )
    func others(_ name: String) { #expect(HostName.ascii(name) == nil) }
}
