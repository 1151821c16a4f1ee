import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("The message of a change that is told as another kind")
@LoopActor
struct ToldMessageTests {
    private static let todo =
        #"{"id":"t1","uid":"alice","date":"2026-11-20","content":"a \"type\":\"added\" },\"was\":{ b","detail":"\n","status":"complete","position":3,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:01Z","visibility":"private","reactions":{"👍":2}}"#
    private static let spellings = ["canonical", "spaced", "made here"]
    private static let befores: [(status: TodoStatus?, visibility: Visibility?)] = [
        (nil, nil), (.inProgress, nil), (nil, .public), (.inProgress, .public),
    ]

    /// A change of some kind, as it comes in and as its message ought to be.
    private func change(
        _ kind: ChangeKind,
        _ id: String,
        _ before: (status: TodoStatus?, visibility: Visibility?),
        _ spelling: String
    ) throws -> TodoChange {
        var was: [String] = []
        if let status = before.status { was.append(#""status":"\#(status.rawValue)""#) }
        if let visibility = before.visibility { was.append(#""visibility":"\#(visibility.rawValue)""#) }
        let end = was.isEmpty ? "" : #","was":{\#(was.joined(separator: ","))}"#
        let text = #"{\#(id)"type":"\#(kind.rawValue)","todo":\#(Self.todo)\#(end)}"#
        let read = try TodoChange(message: Array((spelling == "spaced" ? " " + text : text).utf8), uid: "alice")
        guard spelling == "made here" else { return read }
        return TodoChange(
            id: read.id,
            kind: kind,
            todo: read.todo,
            visibilityBefore: before.visibility,
            statusBefore: before.status
        )
    }

    private nonisolated static let kinds = ChangeKind.allCases.filter(\.isOfTodo)

    @Test("has that kind as its type, and what the todo was with modified alone", arguments: kinds, kinds)
    func product(_ own: ChangeKind, _ told: ChangeKind) throws {
        for id in ["", #""id":"58-1763677123456789","#] {
            for before in Self.befores {
                for spelling in Self.spellings {
                    let change = try change(own, id, before, spelling)
                    let text = String(decoding: change.message(as: told), as: UTF8.self)
                    let context = Comment("\(spelling) \(id) \(before): \(text)")
                    var was = ""
                    if own == .modified, told == .modified {
                        was =
                            switch before {
                            case (nil, nil): ""
                            case (_?, nil): #","was":{"status":"inProgress"}"#
                            case (nil, _?): #","was":{"visibility":"public"}"#
                            case (_?, _?): #","was":{"status":"inProgress","visibility":"public"}"#
                            }
                    }
                    #expect(text == #"{\#(id)"type":"\#(told.rawValue)","todo":\#(Self.todo)\#(was)}"#, context)
                    let again = try TodoChange(message: Array(text.utf8), uid: "alice")
                    #expect(again.kind == told && again.id == change.id && again.todo == change.todo, context)
                    #expect(again.message == Array(text.utf8), context)
                }
            }
        }
    }

    @Test("is the very same where the kind is its own", arguments: kinds)
    func same(_ kind: ChangeKind) throws {
        for spelling in Self.spellings {
            let change = try change(kind, #""id":"58-1763677123456789","#, (.todo, .public), spelling)
            #expect(change.message(as: kind) == change.message)
        }
    }

    @Test("hides what is hidden", arguments: kinds, ["", #""id":"58-1763677123456789","#])
    func hidden(_ kind: ChangeKind, _ id: String) throws {
        for spelling in Self.spellings {
            let hidden = TodoChange(hiding: try change(kind, id, (.todo, .public), spelling))
            #expect(hidden.kind == .removed && hidden.message == hidden.message(as: .removed))
            for told in Self.kinds {
                let text = #"{\#(id)"type":"\#(told.rawValue)","todo":{"id":"t1","uid":"alice"}}"#
                #expect(String(decoding: hidden.message(as: told), as: UTF8.self) == text)
            }
        }
    }

    @Test("of the account is as it is", arguments: ChangeKind.allCases)
    func account(_ told: ChangeKind) throws {
        let text =
            #"{"id":"59-1763677130000000","type":"relation","relation":{"uid":"alice","with":"bob","following":"requested","follower":"none","blocked":false}}"#
        let change = try TodoChange(message: Array(text.utf8), uid: "alice")
        #expect(String(decoding: change.message(as: told), as: UTF8.self) == text)
        let todos = try self.change(.modified, "", (.todo, nil), "canonical")
        if !told.isOfTodo { #expect(todos.message(as: told) == todos.message) }
    }
}
