import Foundation
import Testing
import TodoMate

@testable import TodoMateCLI

/// The page says the same, by the same table.
@Suite("Rules of routines in words")
struct RuleInWordsTests {
    struct Example: Decodable, CustomTestStringConvertible {
        var rule: String
        var from: CalendarDate
        var en: String
        var ko: String
        var testDescription: String { "\(rule) from \(from)" }
    }

    private struct Table: Decodable { var rules: [Example] }

    /// None where the file cannot be read.
    private static let examples: [Example] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Routines/rules.json")
        return (try? JSONDecoder().decode(Table.self, from: Data(contentsOf: file)))?.rules ?? []
    }()
    private static let english = BoardLanguage(environment: [:])
    private static let korean = BoardLanguage(environment: ["LANG": "ko_KR.UTF-8"])

    @Test("The table can be read")
    func table() { #expect(Self.examples.count > 40) }

    @Test("are what the page says of them", arguments: examples)
    func words(_ example: Example) throws {
        let rule = try RoutineRule(example.rule)
        #expect(Self.english.said(rule, from: example.from, today: .earliest) == example.en)
        #expect(Self.korean.said(rule, from: example.from, today: .earliest) == example.ko)
    }

    @Test(
        "leave out what need not be said: the year of an end in this one, the day of the first",
        arguments: [
            ("FREQ=DAILY;UNTIL=20261231", "every day, until Thu, Dec 31", "매일, 12월 31일 (목)까지"),
            ("FREQ=DAILY;UNTIL=20271231", "every day, until Fri, Dec 31, 2027", "매일, 2027년 12월 31일 (금)까지"),
            ("FREQ=MONTHLY", "every month", "매월"), ("FREQ=WEEKLY;BYDAY=SA,SU", "every weekend", "주말마다"),
        ]
    )
    func short(text: String, english: String, korean: String) throws {
        let (rule, today) = (try RoutineRule(text), try #require(CalendarDate("2026-11-20")))
        #expect(Self.english.said(rule, from: nil, today: today) == english)
        #expect(Self.korean.said(rule, from: nil, today: today) == korean)
    }
}
