import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// Somebody who looks at bob's todos, and what they are to him.
private enum Viewer: String, CaseIterable {
    case bob, follower, stranger, requester, leaver, removed, blocked, blocker

    /// What they may see while bob has this audience.
    func access(_ audience: Visibility) -> Access {
        switch self {
        case .bob: .own
        case _ where audience == .private: .none
        case .follower: .followers
        case .stranger, .requester, .leaver, .removed: .public
        // Whoever blocks sees as little as who is blocked.
        case .blocked, .blocker: .none
        }
    }
}

/// One write: the todo's words afterwards are a mark of this write alone.
private struct Write {
    var line: String
    var body: String?
    /// What the todo's words and visibility are afterwards; nil when it is gone.
    var mark: String?
    var id: String
    var before: Visibility?
    var after: Visibility?
    var finishes = false
}

@Suite("Every door, for everybody, after every change", .serialized)
@LoopActor
struct VisibilityMatrixTests {
    private static let day = NoonZone.today

    /// Each todo begins with a visibility and goes through each change with each of the others.
    private static let writes: [Write] = {
        var writes: [Write] = []
        var number = 0
        func mark() -> String {
            number += 1
            return "mark\(number)x"
        }
        for first in Visibility.allCases {
            for second in Visibility.allCases {
                let id = "\(first.rawValue)-\(second.rawValue)"
                let item = "/v1/users/bob/todos/\(id)"
                func patch(
                    _ fields: String,
                    _ word: String,
                    _ before: Visibility,
                    _ after: Visibility,
                    finishes: Bool = false
                ) {
                    let body = #"{"content":"\#(word)"\#(fields)}"#
                    writes.append(
                        Write(
                            line: "PATCH \(item)",
                            body: body,
                            mark: word,
                            id: id,
                            before: before,
                            after: after,
                            finishes: finishes
                        )
                    )
                }
                let word = mark()
                let added = #"{"id":"\#(id)","content":"\#(word)","date":"\#(day)","visibility":"\#(first.rawValue)"}"#
                writes.append(Write(line: "POST /v1/users/bob/todos", body: added, mark: word, id: id, after: first))
                patch("", mark(), first, first)
                patch(#","visibility":"\#(second.rawValue)""#, mark(), first, second)
                patch(#","status":"complete""#, mark(), second, second, finishes: true)
                patch(#","visibility":"\#(first.rawValue)""#, mark(), second, first)
                writes.append(Write(line: "DELETE \(item)", mark: nil, id: id, before: first))
            }
        }
        return writes
    }()

    private func prepare(_ gateway: GatewayProcess, _ audience: Visibility) async throws {
        func say(_ line: String, _ viewer: String, _ body: String? = nil) async throws {
            let answer = try await gateway.ask(line, as: viewer, body: body)
            try #require([200, 201].contains(answer.status), "\(line): \(answer.body)")
        }
        for name in ["follower", "requester", "leaver", "removed", "blocked", "blocker"] {
            try await say("PUT /v1/users/\(name)/following/bob", name)
        }
        for name in ["follower", "leaver", "removed", "blocked", "blocker"] {
            try await say("PUT /v1/users/bob/followers/\(name)", "bob")
        }
        try await say("DELETE /v1/users/leaver/following/bob", "leaver")
        try await say("DELETE /v1/users/bob/followers/removed", "bob")
        try await say("PUT /v1/users/bob/blocked/blocked", "bob")
        try await say("PUT /v1/users/blocker/blocked/bob", "blocker")
        try await say("PATCH /v1/users/bob/profile", "bob", #"{"audience":"\#(audience.rawValue)"}"#)
        let begin = #"{"id":"begin","content":"begin","date":"\#(Self.day)","visibility":"public"}"#
        try await say("POST /v1/users/bob/todos", "bob", begin)
    }

    @Test("shows exactly what may be seen", arguments: Visibility.allCases, RedisKind.allCases)
    func matrix(audience: Visibility, _ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--log-level", "debug") { server, gateway in
            try await prepare(gateway, audience)
            var cases = 0
            var (boards, streams): ([Viewer: BoardReader], [Viewer: BoardReader]) = ([:], [:])
            var terminals: [Viewer: RunningProgram] = [:]
            for viewer in Viewer.allCases {
                let words = ["watch", "--as", viewer.rawValue, "bob", "--json", "--redis", server.address]
                let terminal = try RunningProgram("todomate", words, environment: NoonZone.environment)
                try await eventually("\(viewer)'s terminal has begun") {
                    terminal.output.contains("begin") || terminal.errors.contains("today cannot be read")
                }
                terminals[viewer] = terminal
                let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: viewer.rawValue)
                try await eventually("\(viewer)'s board has begun") { !board.events.isEmpty }
                boards[viewer] = board
                let stream = try BoardReader(gateway.port, "/v1/users/bob/changes", as: viewer.rawValue)
                try await eventually("\(viewer)'s stream has begun") {
                    !stream.events.isEmpty || stream.text.contains(" 403 ")
                }
                streams[viewer] = stream
            }
            for write in Self.writes {
                let answer = try await gateway.ask(write.line, as: "bob", body: write.body)
                try #require([200, 201, 204].contains(answer.status ?? 0), "\(answer.body)")
                guard let mark = write.mark, let after = write.after else { continue }
                // All at once: none of them is to see another's answer either.
                try await withThrowingTaskGroup { group in
                    for viewer in Viewer.allCases {
                        group.addTask {
                            try await ask(gateway, viewer, viewer.access(audience), write, mark, after)
                        }
                    }
                    for try await count in group { cases += count }
                }
            }
            // The last todo that everybody may see tells that all before it has come.
            let last = #"{"id":"last","content":"marklast","date":"2026-11-20","visibility":"public"}"#
            #expect(try await gateway.ask("POST /v1/users/bob/todos", as: "bob", body: last).status == 201)
            for viewer in Viewer.allCases {
                let access = viewer.access(audience)
                for (door, reader) in [("board", boards[viewer]), ("stream", streams[viewer])] {
                    let reader = try #require(reader)
                    if access == .none {
                        #expect(door == "stream" ? reader.text.contains(" 403 ") : reader.lines == ["closed bob"])
                    } else {
                        try await eventually("\(viewer) has heard all") { reader.text.contains("marklast") }
                    }
                    cases += check(reader.events, reader.text, access, "\(viewer)'s \(door)")
                }
                let terminal = try #require(terminals[viewer])
                if access != .none {
                    try await eventually("\(viewer) has heard all") { terminal.output.contains("marklast") }
                }
                let events = terminal.lines.map { line in
                    BoardReader.Event(name: String(line.firstMatch(of: /"type":"([a-z]+)"/)?.1 ?? ""), data: line)
                }
                cases += check(events, terminal.output + terminal.errors, access, "\(viewer)'s terminal")
                let ending = await terminal.stop()
                #expect(ending == .exit(0))
            }
            let metrics = try await gateway.ask("GET /metrics")
            for word in ["mark", "follower\"", "blocked"] { #expect(!metrics.body.contains(word)) }
            #expect(!gateway.program.errors.contains("mark"), "the log tells a todo's words")
            #expect(
                cases == Self.writes.count { $0.mark != nil } * Viewer.allCases.count * 4 + Self.writes.count
                    * Viewer.allCases.count * 3
            )
            print("visibility matrix, audience \(audience), Redis \(kind): \(cases) cases")
        }
    }

    /// Asks as somebody at every door that answers at once; returns how many cases that were.
    private func ask(
        _ gateway: GatewayProcess,
        _ viewer: Viewer,
        _ access: Access,
        _ write: Write,
        _ mark: String,
        _ after: Visibility
    ) async throws -> Int {
        let isSeen = access.covers(after)
        let context = Comment("\(viewer) after \(write.line) \(write.body ?? "")")
        let name = viewer.rawValue
        let list = try await gateway.ask("GET /v1/users/bob/todos", as: name)
        #expect(list.status == (access == .none ? 403 : 200) && list.body.contains(mark) == isSeen, context)
        let item = try await gateway.ask("GET /v1/users/bob/todos/\(write.id)", as: name)
        #expect(
            item.status == (access == .none ? 403 : isSeen ? 200 : 404) && item.body.contains(mark) == isSeen,
            context
        )
        // The feed is of those whom one follows; of oneself there is none.
        let feed = try await gateway.ask("GET /v1/users/\(name)/feed", as: name)
        #expect(feed.body.contains(mark) == (viewer == .follower && isSeen), context)
        let reaction = try await gateway.ask(
            "PUT /v1/users/bob/todos/\(write.id)/reactions/\(name)",
            as: name,
            body: #"{"emoji":"👍"}"#
        )
        #expect(reaction.status == (isSeen ? 200 : 404) && reaction.body.contains(mark) == isSeen, context)
        _ = try await gateway.ask("DELETE /v1/users/bob/todos/\(write.id)/reactions/\(name)", as: name)
        // The refusals tell nothing either.
        for answer in [item, reaction] where !isSeen { #expect(!answer.text.contains("mark"), context) }
        return 4
    }

    /// Holds all that a door has told against what each write allowed; returns how many cases that were.
    private func check(_ events: [BoardReader.Event], _ text: String, _ access: Access, _ door: String) -> Int {
        var names: [String: [String]] = [:]
        for event in events {
            guard let todo = event.todo, let content = todo.content else { continue }
            names[content, default: []].append(event.name)
        }
        for write in Self.writes {
            let context = Comment("\(door) for \(write.line) \(write.body ?? "")")
            guard let mark = write.mark, let after = write.after else { continue }
            guard access.covers(after) else {
                #expect(!text.contains(mark), context)
                continue
            }
            let wasSeen = write.before.map { access.covers($0) } ?? false
            #expect(names[mark]?.first == (wasSeen ? "modified" : "added"), context)
        }
        // What was seen is gone when it is removed or hidden: nothing is left but the last.
        var shown: Set<String> = []
        for event in events {
            guard let todo = event.todo else { continue }
            #expect(event.json["type"] as? String == event.name, "\(door): \(event)")
            #expect(event.json["was"] == nil || event.name == "modified", "\(door): \(event)")
            switch event.name {
            case "added":
                #expect(shown.insert(todo.id).inserted, "\(door): \(todo.id) comes twice")
            case "modified": #expect(shown.contains(todo.id), "\(door): \(todo.id) was not there")
            case "removed": #expect(shown.remove(todo.id) != nil, "\(door): \(todo.id) goes twice")
            default: break
            }
        }
        #expect(shown == (access == .none ? [] : ["last"]), "\(door)")
        return Self.writes.count
    }
}
