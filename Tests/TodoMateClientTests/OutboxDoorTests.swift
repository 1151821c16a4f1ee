import EventLoop
import Foundation
import HTTPServing
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("What an outbox makes of an answer", .serialized)
@LoopActor
struct OutboxDoorTests {
    /// The status, the kind of TodoMate's problem, none for somebody else's page; what comes of it, and what waits then.
    private static let table: [(status: Int, kind: String?, outcome: String, pause: String)] = [
        (401, "unauthorized", "passing", "untilTold"), (401, nil, "passing", "untilTold"),
        (403, "suspended", "passing", "untilTold"), (403, "account-leaving", "passing", "untilTold"),
        (403, "forbidden", "refused", "nothing"), (404, "not-found", "missing", "nothing"),
        (412, "conflict", "refused", "nothing"), (413, "too-large", "refused", "nothing"),
        (422, "invalid", "refused", "nothing"), (507, "full", "passing", "todo"),
        // The todo that has the id is asked for, and is not there either.
        (409, "exists", "passing", "todo"),
        (429, "busy", "passing", "everything"), (503, "unavailable", "passing", "everything"),
        (500, "internal", "passing", "todo"),
        // Somebody on the way may dislike this one for ever: nothing is settled, and the others go.
        (400, nil, "passing", "todo"), (403, nil, "passing", "todo"), (404, nil, "passing", "todo"),
        (409, nil, "passing", "todo"), (412, nil, "passing", "todo"), (422, nil, "passing", "todo"),
        // These are about whoever asks, and not about what.
        (407, nil, "passing", "everything"), (408, nil, "passing", "everything"), (429, nil, "passing", "everything"),
        (200, nil, "passing", "everything"), (302, nil, "passing", "everything"), (500, nil, "passing", "everything"),
        (502, nil, "passing", "everything"),
        // A proxy that takes no more than so much never will.
        (413, nil, "refused", "nothing"),
    ]

    private func name(_ outcome: Outbox.Outcome) -> String {
        switch outcome {
        case .passing: "passing"
        case .refused: "refused"
        case .missing: "missing"
        default: "\(outcome)"
        }
    }

    private func name(_ pause: DoorAnswer.Pause?) -> String {
        switch pause {
        case nil: "nothing"
        case .todo: "todo"
        case .everything: "everything"
        case .untilTold: "untilTold"
        }
    }

    @Test("is what the table says of every status, from TodoMate and from anybody else")
    func answers() async throws {
        let stranger = try StrangeServer(StrangeServer.page(200))
        defer { stranger.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(stranger.port)"))
        let server = Server(url, FixedToken("t"))
        defer { server.close() }
        let door = HTTPOutboxDoor(server)
        let request = Outbox.Request(
            number: 1,
            todo: "a",
            key: "k",
            intent: .edit(TodoPatch(content: "x")),
            revision: nil
        )
        for row in Self.table {
            stranger.answer = row.kind.map { StrangeServer.problem(row.status, $0) } ?? StrangeServer.page(row.status)
            let answer = await door.send(request, of: "alice")
            #expect(
                "\(name(answer.outcome)) \(name(answer.pause))" == "\(row.outcome) \(row.pause)",
                "\(row.status) \(row.kind ?? "of somebody's")"
            )
        }
        // What is JSON and no change is not TodoMate's either, but may be of a version that is not known here.
        stranger.answer = .json("{}")
        let answer = await door.send(request, of: "alice")
        #expect(name(answer.outcome) == "passing" && answer.pause == .todo)
    }
}
