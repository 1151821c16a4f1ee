import Foundation
import Testing

@testable import TodoMate

/// A line of the table that holds for the page too.
struct QuickLineExample: Decodable, CustomTestStringConvertible {
    var line: String
    var content: String
    var day: String?
    var time: String?
    var goal: String?
    var rule: String?
    var until: String?
    var today: String?
    var asText: [String]?
    var kept: [String]?
    var testDescription: String { "\(line) (\(asText ?? []), \(today ?? ""))" }

    private struct Table: Decodable {
        var today: String
        var goals: [Goal]
        var lines: [QuickLineExample]
        var rules: [TypedRule]
    }

    private static let table: Table? = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../QuickLines/lines.json")
        return try? JSONDecoder().decode(Table.self, from: Data(contentsOf: file))
    }()

    /// All of them; none where the file cannot be read.
    static let all: [QuickLineExample] = (table?.lines ?? []).map { line in
        var line = line
        line.today = line.today ?? table?.today
        return line
    }

    /// Rules as they are typed where there is nothing else.
    static let rules = table?.rules ?? []

    /// The goals that they may name.
    static let goals = table?.goals ?? []
}

/// What is typed where a rule is asked for; nil for what is none.
struct TypedRule: Decodable, CustomTestStringConvertible {
    var typed: String
    var rule: String?
    var testDescription: String { typed }
}

@Suite("Lines that say when a todo is for")
struct QuickLineTests {
    private let today = CalendarDate("2026-11-23")!

    @Test("The table can be read")
    func table() {
        #expect(QuickLineExample.all.count > 200)
    }

    @Test("are read as the table says", arguments: QuickLineExample.all)
    func read(_ example: QuickLineExample) throws {
        let today = try #require(CalendarDate(example.today ?? ""))
        let line = QuickLine(
            example.line,
            today: today,
            goals: QuickLineExample.goals,
            asText: Set(example.asText ?? [])
        )
        #expect(line.content == example.content)
        #expect(line.date?.description == example.day)
        #expect(line.time?.description == example.time)
        #expect(line.goal?.id == example.goal)
        var rule = line.rule
        if case .until(let day) = rule?.end {
            #expect(day.description == example.until)
            rule?.end = nil
        } else {
            #expect(example.until == nil)
        }
        #expect(rule?.description == example.rule)
        #expect(line.kept == example.kept ?? [])
    }

    @Test("name a rule with its end where there is nothing else", arguments: QuickLineExample.rules)
    func rules(_ example: TypedRule) {
        #expect(RuleText.rule(example.typed, today: today)?.description == example.rule)
    }

    @Test("say nothing of a kind that is given otherwise")
    func kinds() {
        let text = "tomorrow call mum at 9:30"
        let timed = QuickLine(text, today: today, kinds: [.time])
        #expect(timed.content == "tomorrow call mum" && timed.date == nil && timed.time?.description == "09:30")
        let dated = QuickLine(text, today: today, kinds: [.day])
        #expect(dated.content == "call mum at 9:30" && dated.time == nil && dated.date == today.adding(days: 1))
        #expect(QuickLine(text, today: today, kinds: []).content == text)
        let work = QuickLine("report #Work", today: today, goals: QuickLineExample.goals, kinds: [.day, .time])
        #expect(work.content == "report #Work" && work.goal == nil)
    }

    @Test("keep as text what they are told to, whatever is told", arguments: QuickLineExample.all)
    func asText(_ example: QuickLineExample) {
        // Words that were read can be taken off one after the other, until the whole line is text.
        var asText: Set<String> = []
        let goals = QuickLineExample.goals
        while let reading = QuickLine(example.line, today: today, goals: goals, asText: asText).readings.last {
            #expect(asText.insert(reading.words).inserted, "\(reading.words) was taken off already")
        }
        let line = QuickLine(example.line, today: today, goals: goals, asText: asText)
        #expect(asText.isSuperset(of: line.kept))
        #expect(line.date == nil && line.time == nil && line.goal == nil && line.rule == nil)
    }

    @Test("are told apart by whole words only, in any case and spelling of Korean")
    func spelling() {
        #expect(QuickLine("CALL MUM TOMORROW", today: today).content == "CALL MUM")
        #expect(QuickLine("내일 장보기".decomposedStringWithCanonicalMapping, today: today).date == today.adding(days: 1))
        #expect(QuickLine("", today: today).content == "" && QuickLine("  ", today: today).content == "")
        #expect(QuickLine(", tomorrow", today: today).readings.isEmpty)
    }

    @Test("compare no words that are too long to mean anything")
    func longWords() {
        // In the order in which it takes the longest to put them in another one.
        let marks = String(repeating: "\u{301}\u{323}", count: 5_000)
        for line in ["a\(marks) tomorrow", "tomorrow #\(marks)", "x \(marks), tomorrow", "\(marks) \(marks) 내일"] {
            let words = QuickWord.words(of: line)
            #expect(words.allSatisfy { $0.plain.utf16.count <= QuickWord.longest })
            #expect(words.count == line.unicodeScalars.split(separator: " ").count)
            let read = QuickLine(line, today: today, goals: QuickLineExample.goals)
            #expect(read.date == today.adding(days: 1) && read.content.utf8.count >= 20_000)
        }
        // The longest word that is read.
        #expect(QuickWord.words(of: String(repeating: "x", count: 200))[0].plain.count == 200)
        #expect(QuickWord.words(of: String(repeating: "x", count: 201))[0].plain.count == 1)
    }
}
