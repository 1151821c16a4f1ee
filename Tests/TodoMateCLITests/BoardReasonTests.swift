import Testing
import TodoMate
import TodoMateClient

@testable import TodoMateCLI

@Suite("Why something failed, on the board")
struct BoardReasonTests {
    private static let errors: [TodoError] = [
        .invalid("said"), .exists("said"), .notFound("said"), .conflict("said", current: nil), .full("said"),
        .leaving("said"),
        .refused("said"), .reused("said"), .gone("said"), .unavailable("said"), .broken("said"),
    ]

    @Test("is said in Korean where the board is, never in the words of a function", arguments: errors)
    func korean(_ error: TodoError) {
        let words = KoreanWords()
        let texts = [
            words.unread(error), words.notice(.notSaved(error)) { $0.description },
            words.notice(.notBroughtBack(error)) { $0.description },
        ]
        for text in texts { #expect(text.contains(/[가-힣]/) && !text.contains("said"), "\(text)") }
    }

    @Test("of what was not sent is said in Korean where the board is, whatever was done", arguments: errors)
    func unsentInKorean(_ error: TodoError) {
        for kind in [.added, .edited, .removed, .skipped, .unskipped] as [PendingChange.Kind] {
            let korean = KoreanWords().whyRefused(error, kind)
            #expect(korean.contains(/[가-힣]/) && !korean.contains("said"), "\(korean)")
        }
    }

    @Test(
        "of what was not sent names what has become of it, and what Enter does",
        arguments: [
            (.notFound("no todo x of alice"), .edited, "Enter adds it again", "다시 추가"),
            (.notFound("no routine r of alice"), .unskipped, "no such routine", "루틴은 더는 없습니다"),
            (.conflict("it is at 7", current: nil), .removed, "Enter deletes it", "삭제합니다"),
            (.conflict("it is at 7", current: nil), .edited, "Enter keeps your version", "내 것으로"),
            (.invalid("the routine r has no day x"), .skipped, "not have this day any more", "이제 이날이 없습니다"),
            (.invalid("there is no goal with the id g"), .edited, "there is no goal", "목표가 다른 곳에서 삭제"),
            (.refused("the token has the scope read"), .added, "has the scope read", "이 로그인으로는"),
            (.exists("taken"), .added, "Enter writes this there", "거기에 씁니다"),
            (.full("the month is full"), .added, "the month is full", "자리가 없습니다"),
            (.full("end it and begin another"), .skipped, "end it and begin another", "끝내고 새로"),
        ] as [(TodoError, PendingChange.Kind, String, String)]
    )
    func unsent(error: TodoError, kind: PendingChange.Kind, english: String, korean: String) {
        #expect(EnglishWords().whyRefused(error, kind).contains(english))
        #expect(KoreanWords().whyRefused(error, kind).contains(korean))
    }

    @Test("is shown wherever something cannot be read")
    func places() throws {
        let korean = BoardLanguage(environment: ["LANG": "ko_KR.UTF-8"])
        let day = CalendarDate(daysSince1970: 20_000)
        for todos in [[], [sampleTodo("milk", id: "a", on: day, position: 1)]] {
            let column = TodayColumn(
                person: PublicPerson(uid: "alice"),
                day: day,
                today: day,
                todos: todos,
                phase: .failed(.unavailable("said")),
                language: korean
            )
            let lines = column.lines(width: 80, height: 10).map(\.text).joined(separator: "\n")
            #expect(lines.contains("응답이 없습니다") && !lines.contains("said"), "\(lines)")
        }
    }
}
