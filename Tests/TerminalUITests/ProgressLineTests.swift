import Testing

@testable import TerminalUI

@Suite("A progress line")
struct ProgressLineTests {
    private let line = ProgressLine(label: "import", unit: "lines", total: 1_000_000)

    @Test("tells share, count, rate and time left, beside a bar where there is room")
    func facts() {
        #expect(
            line.text(done: 250_000, elapsed: .seconds(10), columns: 100)
                == "import  ███████░░░░░░░░░░░░░░░░░░░░░░░  25 %  250,000 of 1,000,000 lines  25,000/s  30 s left"
        )
        #expect(
            line.text(done: 250_000, elapsed: .seconds(10), columns: 66)
                == "import  25 %  250,000 of 1,000,000 lines  25,000/s  30 s left"
        )
    }

    @Test("guesses nothing in the first moments, and nothing is left at the end")
    func ends() {
        #expect(line.text(done: 5, elapsed: .milliseconds(1), columns: 40) == "import  0 %  5 of 1,000,000 lines")
        let end = line.text(done: 1_000_000, elapsed: .seconds(2), columns: 60)
        #expect(end == "import  100 %  1,000,000 of 1,000,000 lines  500,000/s")
        let none = ProgressLine(label: "x", unit: "lines", total: 0).text(done: 0, elapsed: .seconds(2), columns: 80)
        #expect(none.hasSuffix("100 %  0 of 0 lines"))
    }

    @Test("is narrower than the window", arguments: 1...120)
    func width(columns: Int) {
        #expect(line.text(done: 999_999, elapsed: .seconds(1000), columns: columns).displayWidth < max(columns, 1) + 0)
    }

    @Test(
        "says times as people do",
        arguments: [(0.2, "1 s"), (59, "59 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")]
    )
    func times(seconds: Double, text: String) { #expect(ProgressLine.time(seconds) == text) }

    @Test("groups thousands", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_005, "1,234,005")])
    func groups(number: Int, text: String) { #expect(number.grouped == text) }
}
