import Foundation
import Testing

/// Lua knows nothing of Unicode: the library brings lists along, which Swift can check.
@Suite("The emoji that the functions know")
struct EmojiTableTests {
    private static func table(_ name: String) throws -> Set<UInt32> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let lua = try String(contentsOf: root.appending(path: "Sources/TodoMateRedis/emoji.lua"), encoding: .utf8)
        let list = try #require(lua.firstMatch(of: try Regex("local \(name) = \\[\\[([^\\]]*)\\]\\]"))?[1].substring)
        var points: Set<UInt32> = []
        for range in list.split(whereSeparator: \.isWhitespace) {
            let bounds = try range.split(separator: "-").map { try #require(UInt32($0, radix: 16)) }
            points.formUnion(try #require(bounds.first)...#require(bounds.last))
        }
        return points
    }

    @Test("are those of Unicode")
    func tables() throws {
        let (emoji, pictures, people) = (try Self.table("EMOJI"), try Self.table("PICTURES"), try Self.table("PEOPLE"))
        #expect(emoji.count > 1000)
        for point in 0x80...0x1FFFF as ClosedRange<UInt32> where !(0x1F1E6...0x1F1FF).contains(point) {
            // What this toolchain does not know yet it cannot judge.
            guard let properties = Unicode.Scalar(point)?.properties, properties.age != nil else { continue }
            let hex = Comment(rawValue: String(point, radix: 16))
            #expect(emoji.contains(point) == properties.isEmoji, hex)
            #expect(pictures.contains(point) == properties.isEmojiPresentation, hex)
            #expect(people.contains(point) == properties.isEmojiModifierBase, hex)
        }
    }
}
