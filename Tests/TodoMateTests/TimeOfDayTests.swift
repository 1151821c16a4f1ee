import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("A time of day")
@LoopActor
struct TimeOfDayTests {
    private func message(_ rest: String) -> String {
        #"{"id":"57-1763677123456789","type":"modified","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"Buy milk","#
            + #""detail":"","status":"todo","position":3,"revision":57,"micros":1763677123456789,"#
            + #""createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:01Z","visibility":"public"\#(rest)}}"#
    }

    private nonisolated static let times = ["00:00", "00:01", "09:30", "12:00", "23:59"]

    @Test("is read and written to the minute", arguments: times)
    func written(_ text: String) throws {
        let time = try #require(TimeOfDay(text))
        #expect(time.description == text && TimeOfDay(hour: time.hour, minute: time.minute) == time)
    }

    private nonisolated static let others = [
        "", "9:30", "24:00", "12:60", "09:3", "09:300", "0930", "09:30 ", "٠٩:٣٠", "-1:30", "ab:cd",
    ]

    @Test("is no other text", arguments: others)
    func refused(_ text: String) {
        #expect(TimeOfDay(text) == nil)
    }

    @Test(
        "passes through in a message, and a todo without one has no such key",
        arguments: ["", #","time":"09:30""#, #","reactions":{"👍":2}"#, #","time":"23:59","reactions":{"👍":2}"#]
    )
    func canonical(_ rest: String) throws {
        let bytes = Array(message(rest).utf8)
        let read = try #require(CanonicalMessage(bytes))
        let todo = try #require(read.todo)
        #expect(todo.time?.description == rest.firstMatch(of: /\d\d:\d\d/).map { String($0.0) })
        #expect(CanonicalMessage.encode(read.id, read.kind, todo) == bytes)
        #expect(try PublishedMessage(bytes, uid: "alice").todo == todo)
        let line = try JSONEncoder().encode(TodoDTO(todo))
        #expect(try JSONDecoder().decode(TodoDTO.self, from: line).toModel() == todo)
        #expect(String(decoding: line, as: UTF8.self).contains("time\"") == (todo.time != nil))
    }

    @Test("that is empty in a published message is none")
    func empty() throws {
        let change = try TodoChange(message: Array(message(#","time":"""#).utf8), uid: "alice")
        #expect(change.todo.time == nil)
        #expect(String(decoding: change.message, as: UTF8.self) == message(""))
    }

    @Test("that is wrong spoils a published message", arguments: [#""9:30""#, #""24:00""#, "930", "[]", #""noon""#])
    func wrong(_ json: String) {
        #expect(throws: MessageRefusal.self) {
            try TodoChange(message: Array(message(#","time":\#(json)"#).utf8), uid: "alice")
        }
    }

    @Test("comes before the position in the order of a day, and none comes last, for todos however they are held")
    func order() throws {
        var todos: [Todo] = []
        for day in ["2026-11-20", "2026-11-21"] {
            for time in [nil] + Self.times {
                for (place, position) in [2.0, -1, 2].enumerated() {
                    let made = Date(timeIntervalSince1970: Double(place))
                    todos.append(
                        Todo(
                            id: "t\(todos.count)",
                            uid: "alice",
                            date: CalendarDate(day)!,
                            time: time.flatMap { TimeOfDay($0) },
                            content: "x",
                            position: position,
                            revision: 1,
                            createdAt: made,
                            updatedAt: made
                        )
                    )
                }
            }
        }
        for left in todos {
            for right in todos {
                let due =
                    left.date != right.date
                    ? left.date < right.date
                    : left.time != right.time
                        ? left.time.map { time in right.time.map { time < $0 } ?? true } ?? false
                        : (left.position, left.createdAt, left.id) < (right.position, right.createdAt, right.id)
                #expect(Todo.isInListOrder(left, right) == due)
                let held = try [left, right].map { try TodoParts.read(Array(TodoDTO($0).json.utf8)) }
                #expect(CanonicalTodo.isInListOrder(held[0], held[1]) == due)
            }
        }
    }
}
