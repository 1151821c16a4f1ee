import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("What somebody else is told of what they missed")
@LoopActor
struct MissedChangesTests {
    /// What can happen to a todo; nil as visibility leaves it as it is.
    private enum Step: CaseIterable {
        case add(Visibility), turn(Visibility), edit, remove

        static let allCases: [Step] =
            Visibility.allCases.map { .add($0) } + Visibility.allCases.map { .turn($0) } + [.edit, .remove]
    }

    /// A todo's state: its words and who may see them; nil when it is not there.
    private typealias State = (words: String, visibility: Visibility)?

    /// The changes of a history of steps, those left out that cannot happen; and the state after it.
    private func play(_ steps: [Step], from start: State) -> (changes: [TodoChange], end: State) {
        var state = start
        var changes: [TodoChange] = []
        for step in steps {
            let version = changes.count + 2
            let words = "words\(version)x"
            let (kind, next): (ChangeKind, (words: String, visibility: Visibility))
            switch (step, state) {
            case (.add(let visibility), nil): (kind, next) = (.added, (words, visibility))
            case (.turn(let visibility), _?): (kind, next) = (.modified, (words, visibility))
            case (.edit, let now?): (kind, next) = (.modified, (words, now.visibility))
            case (.remove, let now?): (kind, next) = (.removed, now)
            default: continue
            }
            let isSame = next.visibility == state?.visibility
            let isModified = kind == .modified
            changes.append(
                TodoChange(
                    id: ChangeID(version: version, microseconds: version),
                    kind: kind,
                    todo: todo(next),
                    visibilityBefore: isModified && !isSame ? state?.visibility : nil,
                    statusBefore: isModified ? .inProgress : nil
                )
            )
            state = kind == .removed ? nil : next
        }
        return (changes, state)
    }

    private func todo(_ state: (words: String, visibility: Visibility)) -> Todo {
        Todo(
            id: "t",
            uid: "bob",
            date: .earliest,
            content: state.words,
            position: 1,
            revision: 1,
            createdAt: .init(timeIntervalSince1970: 0),
            updatedAt: .init(timeIntervalSince1970: 0),
            visibility: state.visibility
        )
    }

    private static let starts: [State] = [nil] + Visibility.allCases.map { ("words1x", $0) }

    @Test("is what became of a todo, after any three steps, and no word from in between")
    func product() {
        var histories = 0
        for start in Self.starts {
            for first in Step.allCases {
                for second in Step.allCases {
                    for third in Step.allCases {
                        let (missed, end) = play([first, second, third], from: start)
                        for access in [Access.public, .followers] {
                            check(missed, from: start, to: end, access)
                            histories += 1
                        }
                    }
                }
            }
        }
        #expect(histories == 4 * 8 * 8 * 8 * 2)
    }

    private func check(_ missed: [TodoChange], from start: State, to end: State, _ access: Access) {
        let before = start.flatMap { access.covers($0.visibility) ? $0.words : nil }
        let after = end.flatMap { access.covers($0.visibility) ? $0.words : nil }
        let told = MissedChanges.views(of: missed, for: access)
        let context = Comment("\(missed.map { String(decoding: $0.message, as: UTF8.self) }) with \(access)")
        #expect(told.count == (before == after || missed.isEmpty ? 0 : 1), context)
        var shown = before
        for (change, view) in told {
            let kind = view.kind
            #expect(kind == (after == nil ? .removed : kind == .added ? .added : .modified), context)
            #expect(kind != .modified || before != nil, context)
            let message = view.isRedacted ? TodoChange(hiding: change).message : change.message(as: kind)
            let text = String(decoding: message, as: UTF8.self)
            let words = text.matches(of: /words\d+x/).map { String($0.output) }
            #expect(words == (after.map { [$0] } ?? []), context)
            // A single change may say what it was before: the reader has seen that.
            #expect(missed.count == 1 || !text.contains("was"), context)
            shown = after
        }
        #expect(shown == after, context)
    }

    @Test("leaves the changes of an account out")
    func account() throws {
        let settings =
            #"{"id":"2-2","type":"settings","settings":{"uid":"bob","audience":"public","visibility":"public","feedSeen":0}}"#
        let change = try TodoChange(message: Array(settings.utf8), uid: "bob")
        #expect(MissedChanges.views(of: [change], for: .public).isEmpty)
    }
}
