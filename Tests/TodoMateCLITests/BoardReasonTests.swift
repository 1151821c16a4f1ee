import Testing
import TodoMate

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
