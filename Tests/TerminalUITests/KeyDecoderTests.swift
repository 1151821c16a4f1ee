import Testing

@testable import TerminalUI

@Suite("Keys of a terminal")
struct KeyDecoderTests {
    static let sequences: [(bytes: String, keys: [KeyPress])] = [
        ("a", [.character("a")]), ("G ", [.character("G"), .character(" ")]), ("\r", [KeyPress(.enter)]),
        ("\n", [KeyPress(.enter)]), ("\t", [KeyPress(.tab)]),
        ("\u{7F}\u{8}", [KeyPress(.backspace), KeyPress(.backspace)]),
        ("\u{1}\u{C}", [.character("a", .control), .character("l", .control)]), ("\0\u{1D}", []),
        ("우é", [.character("우"), .character("é")]), ("🥛", [.character("🥛")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [KeyPress(.up), KeyPress(.down), KeyPress(.right), KeyPress(.left)]),
        ("\u{1B}OA\u{1B}OB\u{1B}OM", [KeyPress(.up), KeyPress(.down), KeyPress(.enter)]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [KeyPress(.home), KeyPress(.end), KeyPress(.home), KeyPress(.end)]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [KeyPress(.pageUp), KeyPress(.pageDown), KeyPress(.delete)]),
        ("\u{1B}[Z", [KeyPress(.tab, .shift)]), ("\u{1B}[1;3C", [KeyPress(.right, .alt)]),
        ("\u{1B}[1;5D\u{1B}[3;5~", [KeyPress(.left, .control), KeyPress(.delete, .control)]),
        ("\u{1B}[1;2A", [KeyPress(.up, .shift)]), ("\u{1B}b", [.character("b", .alt)]),
        ("\u{1B}우", [.character("우", .alt)]), ("\u{1B}\r", [KeyPress(.enter, .alt)]),
        ("\u{1B}\u{7F}", [KeyPress(.backspace, .alt)]),
        ("\u{1B}\u{1B}[A", [KeyPress(.escape), KeyPress(.up)]),
        ("\u{1B}[200~a\u{1B}[Ab\r\n우\u{1B}[201~c", [KeyPress(.paste("a\u{1B}[Ab\r\n우")), .character("c")]),
        ("\u{1B}[200~\u{1B}[201~", [KeyPress(.paste(""))]),
        // What a terminal says of itself, and keys that mean nothing here.
        ("\u{1B}[?62;22cx", [.character("x")]), ("\u{1B}[24;80Rx", [.character("x")]),
        ("\u{1B}[11~x", [.character("x")]),
        ("\u{1B}OPx", [.character("x")]), ("\u{1B}[[Ax", [.character("x")]), ("\u{1B}[Ix", [.character("x")]),
        ("\u{1B}]11;rgb:0/0/0\u{7}x", [.character("x")]), ("\u{1B}]0;a\u{1B}\\x", [.character("x")]),
        ("\u{1B}P1$r0m\u{1B}\\x", [.character("x")]), ("\u{1B}[<0;5;5Mx", [.character("x")]),
        ("\u{1B}[1;\u{1B}[A", [KeyPress(.up)]),
    ]

    @Test("Each sequence is its keys", arguments: sequences)
    func whole(bytes: String, keys: [KeyPress]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes.utf8) == keys)
        #expect(!decoder.isWaiting)
    }

    @Test("However the bytes are cut, the keys are the same", arguments: sequences)
    func pieces(bytes: String, keys: [KeyPress]) {
        let bytes = Array(bytes.utf8)
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            #expect(decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == keys, "cut at \(cut)")
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.decode([$0]) } == keys, "one by one")
    }

    @Test("An escape alone is the Escape key, once nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [KeyPress(.escape)])
        #expect(!decoder.isWaiting)
        #expect(decoder.flush() == [])
        // Alt with a bracket begins like a sequence.
        #expect(decoder.decode([0x1B, 0x5B]) == [])
        #expect(decoder.flush() == [.character("[", .alt)])
        #expect(decoder.decode("j".utf8) == [.character("j")])
    }

    @Test("A sequence on a slow line is waited for")
    func slowLine() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}[1;".utf8) == [])
        #expect(!decoder.isWaiting)
        #expect(decoder.flush() == [])
        #expect(decoder.decode("5C".utf8) == [KeyPress(.right, .control)])
    }

    @Test("A letter in pieces is waited for, broken ones are replaced")
    func brokenText() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xEC, 0x9A]) == [])
        #expect(!decoder.isWaiting)
        #expect(decoder.decode([0xB0]) == [.character("우")])
        #expect(decoder.decode([0xFF, 0x61]) == [.character("\u{FFFD}"), .character("a")])
        #expect(decoder.decode([0xEC, 0x61]) == [.character("\u{FFFD}"), .character("a")])
        #expect(decoder.decode([0xC0, 0x80]).count == 2)
    }

    @Test("Nothing is kept without bound")
    func bounds() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(("\u{1B}[" + String(repeating: "1", count: 100)).utf8).count < 50)
        #expect(decoder.decode("\u{1B}[A".utf8).last == KeyPress(.up))
        let paste = "\u{1B}[200~" + String(repeating: "x", count: 200_000) + "\u{1B}[201~"
        guard case .paste(let text)? = decoder.decode(paste.utf8).first?.key else {
            Issue.record("the paste is a key")
            return
        }
        #expect(text.utf8.count == 65_536)
        #expect(decoder.decode(("\u{1B}]" + String(repeating: "x", count: 5000)).utf8).count < 1000)
        #expect(decoder.decode("\u{7}\u{1B}[B".utf8).last == KeyPress(.down))
    }

    @Test("Whatever comes, nothing is stuck: a key that follows is heard", arguments: 0..<50)
    func noise(seed: UInt64) {
        var decoder = KeyDecoder()
        // A linear congruential generator with Knuth's numbers, of which the upper bits are good.
        var state = seed
        for _ in 0..<200 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            _ = decoder.decode([UInt8(truncatingIfNeeded: state >> 56)])
        }
        _ = decoder.decode(Array("\u{1B}[201~".utf8))
        _ = decoder.decode(Array(repeating: 0x07, count: 5000))
        #expect(decoder.decode("\u{1B}[Aq".utf8).suffix(2) == [KeyPress(.up), .character("q")])
    }

    @Test(
        "A Korean letter is the key that it lies on",
        arguments: [
            ("ㅓ", "j"), ("ㅏ", "k"), ("ㅁ", "a"), ("ㄷ", "e"), ("ㅡ", "m"), ("ㅇ", "d"), ("ㅕ", "u"), ("ㅂ", "q"), ("ㅃ", "Q"),
            ("머", "aj"), ("없", "djqt"), ("과", "rhk"), ("ㄳ", "rt"), ("j", "j"), ("漢", "漢"),
        ]
    )
    func koreanLayout(typed: Character, keys: String) {
        #expect(KeyPress.character(typed).onLatinLayout == keys.map { .character($0) })
    }

    @Test("Help texts name keys as they are written on them")
    func labels() {
        let keys: [KeyPress] = [
            .character("j"), .character(" "), .character("c", .control), KeyPress(.tab, .shift), KeyPress(.left, .alt),
            KeyPress(.pageDown), KeyPress(.delete), KeyPress(.escape),
        ]
        #expect(keys.map(\.label) == ["j", "Space", "Ctrl-C", "Shift-Tab", "Alt-←", "PgDn", "Del", "Esc"])
    }
}
