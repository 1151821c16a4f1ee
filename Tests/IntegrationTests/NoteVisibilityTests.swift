import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// Somebody who looks at bob's notes, and what they are to him.
private enum Viewer: String, CaseIterable {
    case bob, follower, stranger, blocked, blocker

    /// What they may see while bob has this audience.
    func access(_ audience: Visibility) -> Access {
        switch self {
        case .bob: .own
        case _ where audience == .private: .none
        case .follower: .followers
        case .stranger: .public
        case .blocked, .blocker: .none
        }
    }
}

/// Each door to bob's notes, for everybody, after every change of one: not a byte for who may not see it.
@Suite("Every door to notes of days, for everybody, after every change", .serialized)
@LoopActor
struct NoteVisibilityTests {
    /// One write of the note of a day of its own, which says a mark of this write alone.
    private struct Write {
        var day: String
        var line: String
        var body: String?
        var mark: String?
        var before: Visibility?
        var after: Visibility?
    }

    private static let writes: [Write] = {
        var writes: [Write] = []
        for (index, pair) in Visibility.allCases.flatMap({ first in Visibility.allCases.map { (first, $0) } })
            .enumerated()
        {
            let day = "2026-11-\(10 + index)"
            let (first, second) = pair
            func put(_ step: String, _ visibility: Visibility?, _ before: Visibility?, _ after: Visibility) {
                let mark = "mark\(index)\(step)x"
                let shown = visibility.map { #","visibility":"\#($0.rawValue)""# } ?? ""
                let line = "PUT /v1/users/bob/notes/\(day)"
                let body = #"{"detail":"\#(mark)"\#(shown)}"#
                writes.append(Write(day: day, line: line, body: body, mark: mark, before: before, after: after))
            }
            put("a", first, nil, first)
            put("b", nil, first, first)
            put("c", second, first, second)
            put("d", first, second, first)
            writes.append(Write(day: day, line: "DELETE /v1/users/bob/notes/\(day)", before: first))
        }
        return writes
    }()

    private func say(_ gateway: GatewayProcess, _ line: String, _ who: String, _ body: String? = nil) async throws {
        let answer = try await gateway.ask(line, as: who, body: body)
        try #require([200, 201, 204].contains(answer.status), "\(line): \(answer.text)")
    }

    private func prepare(_ gateway: GatewayProcess, _ audience: Visibility) async throws {
        for name in ["follower", "blocked", "blocker"] {
            try await say(gateway, "PUT /v1/users/\(name)/following/bob", name)
            try await say(gateway, "PUT /v1/users/bob/followers/\(name)", "bob")
        }
        try await say(gateway, "PUT /v1/users/bob/blocked/blocked", "bob")
        try await say(gateway, "PUT /v1/users/blocker/blocked/bob", "blocker")
        try await say(gateway, "PATCH /v1/users/bob/profile", "bob", #"{"audience":"\#(audience.rawValue)"}"#)
        let begin = #"{"content":"begin","date":"2026-11-20","visibility":"public"}"#
        try await say(gateway, "POST /v1/users/bob/todos", "bob", begin)
    }

    @Test("shows exactly what may be seen", arguments: Visibility.allCases, RedisKind.allCases)
    func matrix(audience: Visibility, _ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--log-level", "debug") { server, gateway in
            try await prepare(gateway, audience)
            var streams: [(viewer: Viewer, door: String, reader: BoardReader)] = []
            for viewer in Viewer.allCases {
                for target in ["/v1/changes?users=bob", "/v1/users/bob/changes"] {
                    let reader = try BoardReader(gateway.port, target, as: viewer.rawValue)
                    try await eventually("\(viewer)'s \(target) has begun") {
                        !reader.events.isEmpty || reader.text.contains(" 403 ")
                    }
                    streams.append((viewer, target, reader))
                }
            }
            for write in Self.writes {
                try await say(gateway, write.line, "bob", write.body)
                guard let mark = write.mark, let after = write.after else { continue }
                for viewer in Viewer.allCases {
                    try await ask(gateway, viewer, viewer.access(audience), write.day, mark, after)
                }
            }
            // The last todo that everybody may see tells that all before it has come.
            let last = #"{"content":"marklast","date":"2026-11-20","visibility":"public"}"#
            try await say(gateway, "POST /v1/users/bob/todos", "bob", last)
            for (viewer, door, reader) in streams {
                let access = viewer.access(audience)
                guard access != .none else {
                    #expect(!reader.text.contains("mark"), "\(viewer)'s \(door)")
                    continue
                }
                try await eventually("\(viewer) has heard all") { reader.text.contains("marklast") }
                check(reader.events, reader.text, access, "\(viewer)'s \(door)")
            }
            #expect(!gateway.program.errors.contains("mark"), "the log tells what a note says")
        }
    }

    /// Asks as somebody at every door that answers at once.
    private func ask(
        _ gateway: GatewayProcess,
        _ viewer: Viewer,
        _ access: Access,
        _ day: String,
        _ mark: String,
        _ after: Visibility
    ) async throws {
        let (isSeen, name) = (access.covers(after), viewer.rawValue)
        let closed = access == .none ? 403 : 404
        for (target, refused) in [
            ("todos", access == .none ? 403 : 200), ("todos?date=\(day)", access == .none ? 403 : 200),
            ("todos/note-of-\(day)", closed), ("notes/\(day)", closed), ("notes", access == .none ? 403 : 200),
            ("search?words=\(mark)", access == .none ? 403 : 200),
        ] {
            let answer = try await gateway.ask("GET /v1/users/bob/\(target)", as: name)
            let context = Comment("\(viewer): \(target): \(answer.text)")
            #expect(answer.status == (isSeen ? 200 : refused) && answer.text.contains(mark) == isSeen, context)
            if !isSeen, target.hasPrefix("notes") { #expect(!answer.body.contains(#""note-of-\#(day)""#), context) }
        }
        // A note is no news, not even of those whom one follows, and takes no reactions.
        let feed = try await gateway.ask("GET /v1/users/\(name)/feed", as: name)
        #expect(!feed.text.contains("mark") && !feed.text.contains("note-of-"), "\(viewer): \(feed.text)")
        let reaction = try await gateway.ask(
            "PUT /v1/users/bob/todos/note-of-\(day)/reactions/\(name)",
            as: name,
            body: #"{"emoji":"👍"}"#
        )
        #expect(
            reaction.status == (isSeen ? 422 : 404) && !reaction.text.contains("mark"),
            "\(viewer): \(reaction.text)"
        )
        guard viewer != .bob else { return }
        for target in ["archive", "todos/note-of-\(day)/history", "removed"] {
            let answer = try await gateway.ask("GET /v1/users/bob/\(target)", as: name)
            #expect(answer.status == 403 && !answer.text.contains("mark"), "\(viewer): \(target): \(answer.text)")
        }
    }

    /// Holds all that a stream has told against what each write allowed.
    private func check(_ events: [BoardReader.Event], _ text: String, _ access: Access, _ door: String) {
        for write in Self.writes {
            guard let mark = write.mark, let after = write.after else { continue }
            let context = Comment("\(door) for \(write.body ?? "")")
            guard access.covers(after) else {
                #expect(!text.contains(mark), context)
                continue
            }
            let wasSeen = write.before.map { access.covers($0) } ?? false
            let names = events.filter { $0.data.contains("\"\(mark)\"") }.map(\.name)
            #expect(names.first == (wasSeen ? "modified" : "added"), context)
        }
        // What was seen goes when it is hidden or taken away.
        var shown: Set<String> = []
        for event in events {
            guard let todo = event.todo, todo.id.hasPrefix("note-of-") else { continue }
            if event.name == "removed" {
                #expect(shown.remove(todo.id) != nil, "\(door): \(event)")
            } else {
                shown.insert(todo.id)
            }
        }
        #expect(shown.isEmpty, "\(door)")
    }

    /// What bob does while a stream is open, and what it says of a note that its reader saw.
    @Test(
        "takes notes away from open boards when their reader may see them no more, and gives them back",
        arguments: RedisKind.allCases
    )
    func whileOpen(_ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--log-level", "debug") { server, gateway in
            try await prepare(gateway, .public)
            let note = "/v1/users/bob/notes/2026-11-20"
            try await say(gateway, "PUT \(note)", "bob", #"{"detail":"markone","visibility":"followers"}"#)
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "follower")
            try await eventually("the board has the note") { board.text.contains("markone") }
            @LoopActor func view() -> SharedView? { SharedView.views(after: board.events)["bob"] }
            @LoopActor func has(_ mark: String) -> Bool { view()?.todos["note-of-2026-11-20"]?.contains(mark) ?? false }
            for (hide, show) in [
                (
                    ("PATCH /v1/users/bob/profile", #"{"audience":"private"}"#),
                    ("PATCH /v1/users/bob/profile", #"{"audience":"public"}"#)
                ),
                (("PUT \(note)", #"{"visibility":"private"}"#), ("PUT \(note)", #"{"visibility":"public"}"#)),
                (("PUT /v1/users/bob/blocked/follower", nil), ("DELETE /v1/users/bob/blocked/follower", nil)),
            ] as [((String, String?), (String, String?))] {
                try await say(gateway, hide.0, "bob", hide.1)
                try await eventually("\(hide.0) takes it away") { view()?.todos["note-of-2026-11-20"] == nil }
                let length = board.text.count
                try await say(gateway, "PUT \(note)", "bob", #"{"detail":"markhidden"}"#)
                try await say(gateway, "PUT \(note)", "bob", #"{"detail":"markback"}"#)
                try await say(gateway, show.0, "bob", show.1)
                try await eventually("\(show.0) gives it back: \(board.text)") { has("markback") }
                #expect(!board.text.dropFirst(length).contains("markhidden"))
            }
            board.close()
        }
    }
}
