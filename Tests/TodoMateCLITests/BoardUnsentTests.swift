import Foundation
import TerminalUI
import Testing
import TodoMate
import TodoMateClient

@testable import TodoMateCLI

@Suite("What the server does not have, on the terminal board")
struct BoardUnsentTests {
    private let today = CalendarDate("2026-11-20")!

    private func change(_ id: Int, _ kind: PendingChange.Kind, _ state: PendingChange.State) -> PendingChange {
        PendingChange(id: id, kind: kind, state: state, todo: sampleTodo("todo \(id)", id: "t\(id)", on: today))
    }

    private func content(_ unsent: [PendingChange]) -> BoardContent {
        BoardContent(today: today, users: [BoardContent.User(uid: "alice", todayPhase: .live)], unsent: unsent)
    }

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardEffect] {
        keys.flatMap {
            state.press($0 == "⏎" ? KeyPress(.enter) : $0 == "⎋" ? KeyPress(.escape) : .character($0), content)
        }
    }

    private func screen(
        _ state: BoardState,
        _ content: BoardContent,
        _ connection: BoardFooter.Connection = .live,
        columns: Int = 80,
        rows: Int = 24,
        korean: Bool = false
    ) -> [String] {
        let language =
            korean ? BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR")) : BoardLanguage()
        let layout = BoardLayout(state: state, content: content, connection: connection, language: language)
        let lines = layout.screen(TerminalSize(columns: columns, rows: rows)).lines
        #expect(lines.count == rows && lines.allSatisfy { columns < 20 || $0.width <= columns })
        return lines.map(\.text)
    }

    private var all: [PendingChange] {
        [
            change(1, .added, .pending), change(2, .edited, .sent),
            change(3, .removed, .refused(.full("the month is full"))),
            change(4, .added, .refused(.invalid("no such goal"))),
        ]
    }

    @Test("the last line says how the connection stands, and what waits or was refused")
    func footer() {
        let state = BoardState(users: 1)
        for (connection, unsent, expected) in [
            (.live, [], "● Live"), (.waiting(7), [], "○ Not connected, trying again in 7 s"),
            (.waiting(7), Array(all.prefix(1)), "○ Not connected, trying again in 7 s · 1 change waits"),
            (.waiting(7), all, "○ Not connected, trying again in 7 s · 2 changes wait · 2 refused: !"),
            // What is sent within a moment is no news.
            (.live, Array(all.prefix(2)), "● Live"), (.live, all, "● Live · 2 refused: !"),
            (.refused("signed out"), Array(all.prefix(1)), "× Refused: signed out · 1 change waits"),
        ] as [(BoardFooter.Connection, [PendingChange], String)] {
            let last = screen(state, content(unsent), connection, columns: 160).last ?? ""
            #expect(last.hasSuffix(expected), "\(last)")
        }
        let korean = screen(state, content(all), .waiting(7), columns: 160, korean: true).last ?? ""
        #expect(korean.hasSuffix("○ 연결 끊김, 7초 뒤 다시 연결 · 전송 대기 2개 · 거절 2개: !"), "\(korean)")
    }

    @Test("says in the board's language why something was refused", arguments: [false, true])
    func reasons(isKorean: Bool) {
        var state = BoardState(users: 1)
        let content = content(all)
        _ = press("!jj", &state, content)
        let text = screen(state, content, korean: isKorean).joined(separator: "\n")
        #expect(text.contains("더 담을 자리가 없습니다") == isKorean && text.contains("the month is full") != isKorean)
    }

    @Test("! shows it with reasons; keys try again what was refused, give it up, and hurry what waits")
    func keys() {
        var state = BoardState(users: 1)
        let content = content(all)
        #expect(press("!", &state, content) == [])
        var text = screen(state, content).joined(separator: "\n")
        #expect(text.contains("Done here, and not at the server") && text.contains("being sent, no answer yet"))
        #expect(text.contains("waits  add “todo 1”") && text.contains("delete “todo 3”"))
        #expect(press("⏎", &state, content) == [.hurry])
        #expect(press("d", &state, content) == [] && state.notice == .stillSent("todo 1"))
        #expect(press("jj", &state, content) == [])
        text = screen(state, content).joined(separator: "\n")
        #expect(text.contains("the month is full"))
        #expect(press("⏎", &state, content) == [.retry(all[2])])
        #expect(press("Gd", &state, content) == [.discard(all[3])] && state.notice == .discarded("todo 4"))
        #expect(press("gkk⏎", &state, content) == [.hurry])
        #expect(press("⎋", &state, content) == [] && state.mode == .board)
        // Nothing is left, also of what was chosen.
        _ = press("!G", &state, content)
        let nothing = self.content([])
        #expect(screen(state, nothing).joined().contains("The server has everything."))
        #expect(press("⏎", &state, nothing) == [.hurry] && press("djk", &state, nothing) == [])
    }

    @Test("fits every window in both languages", arguments: [(20, 6), (40, 10), (80, 24), (8, 3), (2, 2), (1, 1)])
    func sizes(_ size: (columns: Int, rows: Int)) {
        var state = BoardState(users: 1)
        for unsent in [
            [], all, (0..<50).map { change($0, .edited, .refused(.invalid(String(repeating: "긴 이유 ", count: 40)))) },
        ] {
            state.mode = .board
            _ = press("!jjj", &state, content(unsent))
            for korean in [false, true] {
                _ = screen(state, content(unsent), .waiting(9), columns: size.columns, rows: size.rows, korean: korean)
            }
        }
    }

    @Test("a connection to a server counts down, and says why it is refused")
    func link() {
        var link = BoardLink()
        let now = ContinuousClock.now
        #expect(link.connection(at: now) == .connecting && !link.isLive)
        link.note(.connecting, nil)
        #expect(link.connection(at: now) == .connecting)
        link.note(.live, nil)
        #expect(link.connection(at: now) == .live && link.isLive)
        link.note(.waiting("it went away"), now + .milliseconds(4200))
        #expect(link.connection(at: now) == .waiting(5))
        #expect(
            link.connection(at: now + .seconds(4)) == .waiting(1)
                && link.connection(at: now + .seconds(9)) == .waiting(1)
        )
        // The server is there, and out of touch with what it serves.
        link.note(.waiting("it is out of touch"), nil)
        #expect(link.connection(at: now) == .reconnecting && !link.isLive)
        link.note(.signedOut("sign in"), now + .seconds(60))
        #expect(link.connection(at: now) == .refused("sign in") && !link.isLive)
        link.note(.live, nil)
        #expect(link.connection(at: now) == .live)
        link.note(.idle, nil)
        #expect(link.connection(at: now) == .connecting)
    }
}
