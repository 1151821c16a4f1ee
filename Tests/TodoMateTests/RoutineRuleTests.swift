import Foundation
import Testing

@testable import TodoMate

/// A rule of the table that holds for the page and for the functions too, and its days among some.
struct RuleExample: Decodable, CustomTestStringConvertible {
    var rule: String
    var from: CalendarDate
    var `in`: [CalendarDate]
    var days: [CalendarDate]
    var spelt: String?
    /// What the page says of it, in English and Korean, with the year of its end.
    var en: String
    var ko: String
    var testDescription: String { "\(rule) from \(from)" }

    /// From when on a rule is counted that is said on some day.
    struct Start: Decodable, CustomTestStringConvertible {
        var rule: String
        var said: CalendarDate
        var start: CalendarDate
        var testDescription: String { "\(rule) on \(said)" }
    }

    struct Table: Decodable {
        var rules: [RuleExample]
        var starts: [Start]
        var refused: [String]
    }

    /// All of them; none where the file cannot be read.
    static let table: Table = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Routines/rules.json")
        return (try? JSONDecoder().decode(Table.self, from: Data(contentsOf: file)))
            ?? Table(rules: [], starts: [], refused: [])
    }()
}

@Suite("Rules of routines")
struct RoutineRuleTests {
    @Test("The table can be read")
    func table() {
        #expect(RuleExample.table.rules.count > 40 && RuleExample.table.refused.count > 40)
    }

    @Test("have the days that the table says", arguments: RuleExample.table.rules)
    func days(_ example: RuleExample) throws {
        let rule = try RoutineRule(example.rule)
        #expect(rule.description == example.spelt ?? example.rule)
        #expect(try RoutineRule(rule.description) == rule)
        #expect(rule.days(from: example.from, in: example.in[0]...example.in[1]) == example.days)
        for day in example.days { #expect(rule.contains(day, from: example.from)) }
    }

    @Test("begin with the next day that they name, however seldom they come", arguments: RuleExample.table.starts)
    func start(_ example: RuleExample.Start) throws {
        #expect(try RoutineRule(example.rule).start(saidOn: example.said) == example.start)
    }

    @Test(
        "can be typed as the page says them",
        arguments: RuleExample.table.rules,
        ["1900-01-01", "2026-11-26", "2999-01-01"]
    )
    func typed(_ example: RuleExample, today: String) throws {
        var due = try RoutineRule(example.rule)
        if due.frequency == .monthly, due.monthDay == nil {
            due = RoutineRule(.monthly, interval: due.interval, monthDay: example.from.day, end: due.end)
        }
        for text in [example.en, example.ko] {
            #expect(RuleText.rule(text, today: try #require(CalendarDate(today))) == due, "\(text)")
        }
    }

    @Test("refuse what the table says, with a reason", arguments: RuleExample.table.refused)
    func refused(_ text: String) {
        do throws(TodoError) {
            let rule = try RoutineRule(text)
            Issue.record("\(text) was taken for \(rule)")
        } catch {
            guard case .invalid(let advice) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(advice.count > 20)
        }
    }

    @Test("take no more than a line")
    func length() {
        #expect(throws: TodoError.self) { try RoutineRule("FREQ=DAILY;" + String(repeating: "X", count: 200)) }
    }

    @Test("have a last day only where they have one, none before the first")
    func last() throws {
        let first = try #require(CalendarDate("2026-11-23"))
        #expect(try RoutineRule("FREQ=DAILY").last(from: first) == .latest)
        #expect(try RoutineRule("FREQ=DAILY;COUNT=3").last(from: first)?.description == "2026-11-25")
        #expect(try RoutineRule("FREQ=DAILY;UNTIL=20261122").last(from: first) == nil)
        #expect(try !RoutineRule("FREQ=DAILY").contains(first.adding(days: -1), from: first))
    }
}
