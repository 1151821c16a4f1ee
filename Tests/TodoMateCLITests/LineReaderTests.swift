import Foundation
import Testing

@testable import TodoMateCLI

@Suite("Reading lines")
struct LineReaderTests {
    /// The lines of some bytes, numbered; nil for a line that is too long.
    private func lines(_ bytes: [UInt8], longest: Int = 20) throws -> [String?] {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var reader = LineReader(descriptor, longest: longest)
        var result: [String?] = []
        while let line = try reader.next() {
            #expect(line.number == result.count + 1)
            result.append(line.bytes.map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(reader.bytesRead == bytes.count)
        return result
    }

    @Test(
        "takes any line end, and none at the end of the file",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]),
            ("\n", [""]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("a\rb\n", ["a\rb"]),
        ]
    )
    func ends(text: String, expected: [String]) throws {
        #expect(try lines(Array(text.utf8)) == expected)
    }

    @Test("numbers a line that is too long, keeps none of it, and goes on", arguments: [21, 300_000, 1_000_000])
    func longLines(length: Int) throws {
        let long = String(repeating: "x", count: length)
        #expect(try lines(Array("a\n\(long)\nb\n\(long)".utf8)) == ["a", nil, "b", nil])
    }

    @Test("finds lines wherever they lie in what is read at once")
    func chunks() throws {
        let expected = (0..<60_000).map { "line \($0)" }
        #expect(try lines(Array(expected.joined(separator: "\n").utf8)) == expected)
    }
}
