import Testing

@testable import CommandArguments

@Suite("Value parsers")
struct ValueParserTests {
    @Test(
        "A time is a number with a unit, seconds without one",
        arguments: [
            ("5", .seconds(5)), ("5s", .seconds(5)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)),
            ("1h", .seconds(3600)), ("0.5", .milliseconds(500)), ("1.5m", .seconds(90)),
        ] as [(String, Duration)]
    )
    func durations(text: String, duration: Duration) throws {
        #expect(try ValueParser.duration.parse(text) == duration)
    }

    @Test(
        "What is not a time above zero is refused",
        arguments: ["", "s", "0", "0s", "-1", "nan", "inf", "1e3", "0x10", "5 s", "5d", "1.2.3", "9999999999h"]
    )
    func wrongDurations(text: String) {
        #expect(throws: InvalidValue.self) { try ValueParser.duration.parse(text) }
    }

    @Test(
        "A time is shown in its largest whole unit",
        arguments: [
            (.seconds(5), "5s"), (.milliseconds(1500), "1500ms"), (.seconds(120), "2m"), (.seconds(90), "90s"),
            (.seconds(7200), "2h"),
        ] as [(Duration, String)]
    )
    func durationText(duration: Duration, text: String) {
        #expect(ValueParser.duration.describe(duration) == text)
    }

    @Test("Bounds of whole numbers are named", arguments: ["", "x", "1.0", " 1", "99999999999999999999"])
    func integers(text: String) {
        func expectation(_ parser: ValueParser<Int>) -> String? {
            #expect(throws: InvalidValue.self) { try parser.parse(text) }?.expectation
        }
        #expect(expectation(.integer()) == "a whole number")
        #expect(expectation(.integer(in: 1...(.max))) == "a whole number from 1 up")
        #expect(expectation(.integer(in: (.min)...9)) == "a whole number up to 9")
        #expect(expectation(.integer(in: 1...9)) == "a whole number from 1 to 9")
    }

    @Test("A list is written as it is read")
    func lists() throws {
        let parser = ValueParser.list(of: .integer())
        #expect(try parser.parse("1,2,-3") == [1, 2, -3])
        #expect(parser.describe([1, 2, -3]) == "1,2,-3")
        #expect(throws: InvalidValue.self) { try parser.parse("1,x") }
    }

    @Test(
        "The nearest word is found only when it is near",
        arguments: [
            ("lst", "list"), ("lsit", "list"), ("wacth", "watch"), ("remov", "remove"), ("ad", "add"), ("add", "add"),
            ("frobnicate", nil), ("x", nil), ("", nil),
        ] as [(String, String?)]
    )
    func nearest(word: String, expected: String?) {
        #expect(word.nearest(in: ["add", "list", "watch", "remove"]) == expected)
    }

    @Test(
        "The edit distance counts insertions, deletions, replacements and swaps",
        arguments: [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("ab", "ba", 1), ("완료", "완성", 1)]
    )
    func editDistance(source: String, target: String, distance: Int) {
        #expect(source.editDistance(to: target) == distance)
        #expect(target.editDistance(to: source) == distance)
    }
}
