import Foundation
import Testing

@testable import TerminalUI

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("Terminal")
struct TerminalTests {
    @Test(
        "What the output and the environment are decides the styles",
        arguments: [
            (false, ["TERM": "xterm", "COLORTERM": "truecolor"], .none),
            (true, [:], .none), (true, ["TERM": ""], .none),
            (true, ["TERM": "dumb", "COLORTERM": "truecolor"], .none), (true, ["TERM": "xterm"], .sixteenColors),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], .weight),
            (true, ["TERM": "xterm", "NO_COLOR": ""], .sixteenColors),
            (true, ["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], .weight),
            (true, ["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
            (true, ["TERM": "xterm", "COLORTERM": "24bit"], .trueColor), (true, ["TERM": "xterm-direct"], .trueColor),
        ] as [(Bool, [String: String], StyleSupport)]
    )
    func support(isTerminal: Bool, environment: [String: String], expected: StyleSupport) {
        #expect(StyleSupport(isTerminal: isTerminal, environment: environment) == expected)
    }

    @Test(
        "A style that does not show leaves the text as it is",
        arguments: [
            (.none, "x", "x"), (.weight, "\u{1B}[1mx\u{1B}[0m", "x"),
            (.sixteenColors, "\u{1B}[1;31mx\u{1B}[0m", "\u{1B}[92mx\u{1B}[0m"),
            (.trueColor, "\u{1B}[1;31mx\u{1B}[0m", "\u{1B}[38;2;1;2;3mx\u{1B}[0m"),
        ] as [(StyleSupport, String, String)]
    )
    func styles(support: StyleSupport, boldRed: String, exact: String) {
        #expect(support.apply(.bold, .color(.red), to: "x") == boldRed)
        #expect(support.apply(.exactColor(red: 1, green: 2, blue: 3, fallback: .brightGreen), to: "x") == exact)
        #expect(support.apply(to: "x") == "x")
        #expect(support.apply(.dim, .underline, .strikethrough, .reverse, to: "") == "")
    }

    @Test("A pipe is no terminal and has no size")
    func pipe() throws {
        let pipe = Pipe()
        let terminal = Terminal(
            descriptor: pipe.fileHandleForWriting.fileDescriptor,
            environment: ["TERM": "xterm", "COLORTERM": "truecolor"]
        )
        #expect(!terminal.isTerminal)
        #expect(!terminal.isInteractive)
        #expect(terminal.size == nil)
        #expect(terminal.columns == 80)
        #expect(terminal.styleSupport == .none)
    }

    @Test("A pseudo-terminal is one, and its size is followed")
    func pseudoTerminal() throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let terminal = Terminal(descriptor: descriptor, environment: ["TERM": "xterm"])
        #expect(terminal.isTerminal)
        #expect(terminal.isInteractive)
        #expect(terminal.size == nil, "a window without rows has no size")
        for columns in [100, 44] {
            var window = winsize()
            window.ws_col = UInt16(columns)
            window.ws_row = 30
            #expect(ioctl(descriptor, UInt(TIOCSWINSZ), &window) == 0)
            #expect(terminal.size == TerminalSize(columns: columns, rows: 30))
            #expect(terminal.columns == columns)
        }
    }

    @Test("Everything is written, however full a non-blocking descriptor is")
    func writesAll() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let text = String(repeating: "우유 사기\n", count: 50_000)
        // The writer needs a thread of its own because it waits for the reader.
        Thread.detachNewThread {
            Terminal(descriptor: descriptor, environment: [:]).write(text)
            close(descriptor)
        }
        #expect(try pipe.fileHandleForReading.readToEnd() == Data(text.utf8))
    }

    @Test("A descriptor that is gone says so")
    func writeFails() {
        #expect(!Terminal(descriptor: -1, environment: [:]).write("x"))
        #expect(Terminal(descriptor: -1, environment: [:]).write(""))
    }
}
