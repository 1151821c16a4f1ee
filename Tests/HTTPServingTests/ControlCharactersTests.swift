import Testing

@testable import HTTPServing

@Suite("Control characters in what clients send")
struct ControlCharactersTests {
    @Test("are found, each byte at each place of texts of all lengths")
    func everywhere() {
        var wrong: [[UInt8]] = []
        for length in 0...20 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    let isPrintable = byte >= 0x20 && byte < 0x7F
                    let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
                    text.withUnsafeBufferPointer { bytes in
                        let isRight =
                            bytes.printablePrefix == (isPrintable ? length : place) && bytes.hasControl == isControl
                        if !isRight { wrong.append(text) }
                    }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("are found though others are beside them")
    func together() {
        var random = SystemRandomNumberGenerator()
        var wrong: [[UInt8]] = []
        let bytes: [UInt8] = [0x00, 0x09, 0x0A, 0x1F, 0x20, 0x21, 0x7E, 0x7F, 0x80, 0x81, 0xA0, 0xFF]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in bytes.randomElement(using: &random)! }
            text.withUnsafeBufferPointer {
                let isRight =
                    $0.printablePrefix == text.prefix { $0 >= 0x20 && $0 < 0x7F }.count
                    && $0.hasControl == text.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
                if !isRight { wrong.append(text) }
            }
        }
        #expect(wrong.isEmpty)
    }
}
