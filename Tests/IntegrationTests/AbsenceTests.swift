import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Somebody else who comes back, or says so")
@LoopActor
struct AbsenceTests {
    /// Today, which is what terminals show.
    private static let day = NoonZone.today

    private enum Looker: String, CaseIterable {
        case follower, stranger

        var access: Access { self == .follower ? .followers : .public }
    }

    private func say(_ gateway: GatewayProcess, _ line: String, _ viewer: String, _ body: String? = nil) async throws {
        let answer = try await gateway.ask(line, as: viewer, body: body)
        try #require([200, 201, 204].contains(answer.status), "\(line): \(answer.body)")
    }

    /// What bob does, each time with words that stand nowhere else, and which words of his are there afterwards for whom.
    private func live(
        _ pairs: [(Visibility, Visibility)],
        _ gateway: GatewayProcess,
        _ step: @LoopActor ([String: [String]]) async throws -> Void
    ) async throws {
        var words: [String: (word: String, visibility: Visibility)] = [:]
        var number = 0
        for (first, second) in pairs {
            let id = "\(first.rawValue)-\(second.rawValue)"
            let item = "/v1/users/bob/todos/\(id)"
            for (line, visibility) in [
                ("POST", first), ("PATCH", first), ("PATCH", second), ("PATCH", first), ("DELETE", first),
                ("POST", second), ("PATCH", first), ("DELETE", nil),
            ] {
                number += 1
                let word = "word\(number)x"
                let fields = visibility.map { #""content":"\#(word)","visibility":"\#($0.rawValue)""# } ?? ""
                switch line {
                case "POST":
                    let body = #"{"id":"\#(id)","date":"\#(Self.day)",\#(fields)}"#
                    try await say(gateway, "POST /v1/users/bob/todos", "bob", body)
                case "PATCH": try await say(gateway, "PATCH \(item)", "bob", "{\(fields)}")
                default: try await say(gateway, "DELETE \(item)", "bob")
                }
                words[id] = line == "DELETE" ? nil : visibility.map { (word, $0) }
                try await step(
                    Dictionary(
                        uniqueKeysWithValues: Looker.allCases.map { looker in
                            let seen = words.values.filter { looker.access.covers($0.visibility) }
                            return (looker.rawValue, seen.map(\.word))
                        }
                    )
                )
            }
        }
    }

    @Test("is told what is there, and no word that was edited away, hidden or removed", arguments: RedisKind.allCases)
    func words(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await say(gateway, "PUT /v1/users/follower/following/bob", "follower")
            try await say(gateway, "PUT /v1/users/bob/followers/follower", "bob")
            let begin = #"{"id":"begin","content":"begin","date":"\#(Self.day)","visibility":"public"}"#
            try await say(gateway, "POST /v1/users/bob/todos", "bob", begin)
            let first = try #require(ChangeID(try await server.call("todomate_latest", "bob")))
            let madeUp = ChangeID(version: first.version, microseconds: first.microseconds + 1)
            var steps = 0
            let pairs = Visibility.allCases.flatMap { first in Visibility.allCases.map { (first, $0) } }
            // A part of the table for each kind, with every visibility first, and every one second.
            let own = RedisKind.inTurn(pairs).filter { $1 == kind }.map(\.0)
            try await live(own, gateway) { words in
                steps += 1
                // A place that is none is answered as if nobody had been there: to be seen now and then is enough.
                let places = steps % 8 == 0 ? [first, madeUp, .zero] : [first]
                let isWatched = steps % 12 == 0
                try await withThrowingDiscardingTaskGroup { group in
                    for looker in Looker.allCases {
                        let words = words[looker.rawValue] ?? []
                        group.addTask {
                            for place in places { try await look(gateway, looker, from: place, words) }
                            try await ask(gateway, looker, words)
                            if isWatched { try await watch(server, looker, words) }
                        }
                    }
                }
            }
        }
    }

    /// Comes back to a place that is claimed, by both doors, and waits for what is written then.
    private func look(_ gateway: GatewayProcess, _ looker: Looker, from place: ChangeID, _ words: [String]) async throws
    {
        var cursor = BoardCursor(users: ["bob"])
        cursor.set(0, looker.access, place)
        let name = looker.rawValue
        let doors = [
            ("/v1/changes?users=bob", String(decoding: cursor.text, as: UTF8.self)),
            ("/v1/users/bob/changes", "\(ViewerPlace(place, looker.access))"),
        ]
        let readers = try doors.map { target, place in
            try BoardReader(gateway.port, target, as: name, since: place)
        }
        for (reader, (target, place)) in zip(readers, doors) {
            let context = Comment("\(name) at \(target) from \(place)")
            try await eventually(context) {
                Set(words).isSubset(of: Self.told(reader)) && reader.text.contains("\r\n\r\n")
            }
            #expect(Self.told(reader).isSubset(of: Set(words)), context)
            reader.close()
        }
    }

    /// Asks at every other door over HTTP: of what was, none tells anything.
    private func ask(_ gateway: GatewayProcess, _ looker: Looker, _ words: [String]) async throws {
        let name = looker.rawValue
        let list = try await gateway.ask("GET /v1/users/bob/todos", as: name)
        #expect(Self.told(list.text) == Set(words))
        var lines = [
            "GET /v1/users/bob/todos?date=\(Self.day)", "GET /v1/users/\(name)/feed", "GET /v1/users/bob/profile",
        ]
        for id in Visibility.allCases.flatMap({ first in Visibility.allCases.map { "\(first)-\($0)" } }) {
            lines.append("GET /v1/users/bob/todos/\(id)")
            lines.append("PUT /v1/users/bob/todos/\(id)/reactions/\(name)")
        }
        try await withThrowingDiscardingTaskGroup { group in
            for line in lines {
                group.addTask {
                    let body = line.hasPrefix("PUT") ? #"{"emoji":"👍"}"# : nil
                    let answer = try await gateway.ask(line, as: name, body: body)
                    #expect(Self.told(answer.text).isSubset(of: Set(words)), "\(name) at \(line)")
                }
            }
        }
    }

    /// Looks with the command, as somebody who can read Redis has it show what another would see.
    private func watch(_ server: any TestRedis, _ looker: Looker, _ words: [String]) async throws {
        let watching = ["watch", "--as", looker.rawValue, "bob", "--json", "--redis", server.address]
        let terminal = try RunningProgram("todomate", watching, environment: NoonZone.environment)
        try await eventually("\(looker)'s terminal has begun") { terminal.output.contains("begin") }
        #expect(await terminal.stop() == .exit(0))
        #expect(Self.told(terminal.output + terminal.errors).isSubset(of: Set(words)), "\(looker)'s terminal")
    }

    private static func told(_ reader: BoardReader) -> Set<String> { told(reader.text) }

    private nonisolated static func told(_ text: String) -> Set<String> {
        Set(text.matches(of: /word\d+x/).map { String($0.output) })
    }
}
