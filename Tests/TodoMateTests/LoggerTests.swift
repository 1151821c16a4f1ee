import Foundation
import Synchronization
import Testing
import TodoMate

/// Takes what a logger writes.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite("The logger")
struct LoggerTests {
    private let lines = Lines()

    private func logger(_ level: Logger.Level, _ format: Logger.Format, label: String = "") -> Logger {
        let time = Date(timeIntervalSince1970: 1_795_000_000.5)
        return Logger(level: level, format: format, label: label, now: { time }, write: { [lines] in lines.append($0) })
    }

    @Test("writes logfmt, quoting what needs it")
    func logfmt() {
        logger(.debug, .logfmt).info("two words", ["uid": "alice", "empty": "", "tricky": "a=\"b\"\nc"])
        #expect(
            lines.all == [
                #"time=2026-11-18T11:06:40.500Z level=info message="two words" uid=alice empty="" tricky="a=\"b\"\nc""#
                    + "\n"
            ]
        )
    }

    @Test("writes JSON, one object a line")
    func json() throws {
        logger(.debug, .json, label: "worker-1").warning("line\nbreak", ["key": "한 \"x\""])
        let line = try #require(lines.all.first)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(
            object == [
                "time": "2026-11-18T11:06:40.500Z", "level": "warning", "label": "worker-1", "message": "line\nbreak",
                "key": "한 \"x\"",
            ]
        )
        #expect(line.filter { $0 == "\n" }.count == 1)
    }

    @Test("leaves out what matters less than asked for", arguments: zip(Logger.Level.allCases, [4, 3, 2, 1]))
    func levels(_ level: Logger.Level, _ count: Int) {
        let logger = logger(level, .logfmt)
        logger.debug("d")
        logger.info("i")
        logger.warning("w")
        logger.error("e")
        #expect(lines.all.count == count)
    }
}
