import Testing

@testable import RedisClient

@Suite("A command")
struct RedisCommandTests {
    private static func text(_ command: RedisCommand) -> String {
        String(decoding: command.head + command.bytes, as: UTF8.self)
    }

    @Test("goes out as the protocol has it, each word with its length in bytes")
    func form() {
        var command = RedisCommand("SET", "한")
        command.append("")
        command.append("abc".dropFirst())
        command.append([0, 13, 10, 255])
        #expect(command.head == Array("*5\r\n".utf8))
        let words = Array("$3\r\nSET\r\n$3\r\n한\r\n$0\r\n\r\n$2\r\nbc\r\n$4\r\n".utf8) + [0, 13, 10, 255, 13, 10]
        #expect(command.bytes == words)
        #expect(command.words.map { Array(command.bytes[$0]) }.last == [0, 13, 10, 255])
    }

    @Test(
        "says how many words it has and how long they are, in no digit too many",
        arguments: [0, 1, 9, 10, 11, 99, 100, 101, 1000, 65_536]
    )
    func lengths(_ count: Int) {
        let word = String(repeating: "x", count: count)
        #expect(Self.text(RedisCommand("ECHO", word)) == "*2\r\n$4\r\nECHO\r\n$\(count)\r\n\(word)\r\n")
        var command = RedisCommand("DEL")
        for _ in 0..<count { command.append("k") }
        #expect(command.head == Array("*\(count + 1)\r\n".utf8))
        #expect(command.words.count == count + 1)
    }
}
