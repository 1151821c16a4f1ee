import TerminalUI
import Testing

@testable import CommandArguments

@Suite("Help text")
struct HelpTextTests {
    @Test("A command's help shows all that it understands")
    func layout() {
        let expected = """
            Usage: notebook add [options] [<uid>] <content> [<tag>...]

            Add a note.

            Two views show it.

            Everybody sees it.

            Arguments:
              <uid>      Whose note it is. (environment: NOTEBOOK_USER)
              <content>  What is to be done.
              <tag>      Words to find it by.

            Options:
                  --store <url>      Where notes go. (default: store://127.0.0.1:6379/0;
                                     environment: NOTEBOOK_STORE)
              -w, --workers <count>  How many processes. (default: 2; environment:
                                     NOTEBOOK_WORKERS)
                  --status <value>   Only notes like this. (one of: open, inProgress,
                                     complete)
                  --detail <value>   More about it.
              -d, --days <value>     Days to show.
                  --timeout <value>  How long to wait. (default: 5s)
              -j, --[no-]json        Print JSON. (environment: NOTEBOOK_JSON)
              -q, --quiet            Print nothing.
              -h, --help             Show this help.

            Examples:
              notebook add alice "Buy milk"
                  Adds it to today.
              notebook add bob Run

            """
        #expect(SampleCommand.spec.help(program: "notebook", width: 80) == expected)
    }

    @Test("No line is wider than asked for", arguments: [40, 60, 80, 120])
    func width(columns: Int) {
        let text = SampleCommand.spec.help(program: "notebook", width: columns)
        let wide = text.split(separator: "\n").filter { $0.displayWidth > columns }
        #expect(wide.isEmpty)
    }

    @Test("Wrapping counts wide characters as two columns, and a long term stands alone")
    func wideText() {
        var help = HelpText(width: 40)
        help.addList(
            "Liste",
            [
                HelpText.Entry(term: "가나", text: "오늘 할 일을 목록에서 바로 보여 줍니다 그리고 달력"),
                HelpText.Entry(term: "a-term-that-is-much-longer-than-the-column", text: "text"),
            ]
        )
        let margin = String(repeating: " ", count: 12)
        let lines = help.text.split(separator: "\n").map(String.init)
        #expect(lines[1].hasPrefix("  가나" + String(repeating: " ", count: 6) + "오늘 할"))
        #expect(lines.filter { $0.hasPrefix(margin) }.allSatisfy { $0.displayWidth <= 40 })
        #expect(lines.suffix(2) == ["  a-term-that-is-much-longer-than-the-column", margin + "text"])
    }
}
