import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// Walks through alice's histories at random: writes, logs that are deleted or cut by hand, everything flushed, and a Redis that
/// goes back to what it held before.
@LoopActor
struct HistoryWalk {
    /// What a reader has: an id, and what it stands for.
    struct Place: Equatable {
        var id: String
        var state: State
    }

    /// All that messages tell of: the todos' JSON by their ids, the settings, and what is between alice and others.
    typealias State = [String: String]

    /// Stands for todos whose log is gone: no place to go on from.
    static let lost = "0-1"

    private static let others = ["bob", "carol"]

    let functions: Functions
    let client: RedisClient
    var dice: SeededRandom
    /// What was done, for the words of a failure.
    var steps: [String] = []
    private var hasSaved = false

    init(_ functions: Functions, _ client: RedisClient, seed: UInt64) {
        (self.functions, self.client) = (functions, client)
        dice = SeededRandom(seed: seed)
    }

    /// Where somebody who reads now is.
    func place() async throws -> Place {
        let list = await functions("list")
        let json = try #require(JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any])
        var state: State = [:]
        for todo in list.matches(
            of: /\{"id":"([^"]+)","uid":"alice".*?"visibility":"[a-z]+"(,"reactions":\{[^}]*\})?\}/
        ) {
            state["todo \(todo.1)"] = String(todo.0)
        }
        let profile = await functions("profile")
        state["settings"] = profile.firstMatch(
            of: /"uid":"alice","audience":"[a-z]+","visibility":"[a-z]+","feedSeen":\d+/
        )
        .map { String($0.0) }
        for other in Self.others { state["with \(other)"] = await functions("relation", other) }
        return Place(id: json["id"] as? String ?? "", state: state)
    }

    /// What a reader at a place is told since, or nil when it has to read anew.
    func state(since place: Place) async throws -> State? {
        let answer = await functions("since", place.id)
        guard !answer.hasPrefix("TODOMATE_GONE ") else { return nil }
        var state = place.state
        for message in answer.split(separator: "\n") { try Self.apply(String(message), to: &state) }
        return state
    }

    private static func apply(_ message: String, to state: inout State) throws {
        let type = try #require(message.firstMatch(of: /^\{"id":"\d+-\d+","type":"([a-z]+)"/)).1
        switch type {
        case "relation":
            let relation = try #require(message.firstMatch(of: /"relation":(\{.*\})\}$/)).1
            let other = try #require(relation.firstMatch(of: /"with":"([^"]+)"/)).1
            state["with \(other)"] = String(relation)
        case "settings":
            state["settings"] = String(try #require(message.firstMatch(of: /"settings":\{([^}]*)\}/)).1)
        default:
            let todo = try #require(message.firstMatch(of: /"todo":(\{.*\})(,"was":\{[^}]*\})?\}$/)).1
            let id = try #require(todo.firstMatch(of: /^\{"id":"([^"]+)"/)).1
            state["todo \(id)"] = type == "removed" ? nil : String(todo)
        }
    }

    /// Does something.
    mutating func step() async throws {
        let id = "t\(Int.random(in: 1...3, using: &dice))"
        let word = ["tea", "milk"].randomElement(using: &dice) ?? ""
        let other = Self.others.randomElement(using: &dice) ?? ""
        switch Int.random(in: 0..<40, using: &dice) {
        case 0..<10: try await call("add", #"{"id":"\#(id)","content":"\#(word)","date":"2026-11-20"}"#)
        case 10..<15: try await call("update", id, #"{"content":"\#(word) \#(Int.random(in: 1...2, using: &dice))"}"#)
        case 15..<19: try await call("remove", id)
        case 19..<21: try await call("react", id, "alice", ["👍", "🎉", ""].randomElement(using: &dice) ?? "")
        case 21..<23:
            try await call("settings", #"{"audience":"\#(["public", "private"].randomElement(using: &dice) ?? "")"}"#)
        case 23..<25:
            try await call(["follow", "unfollow", "block", "unblock"].randomElement(using: &dice) ?? "", other)
        case 25..<27:
            try await call(
                "import",
                "replace",
                #"{"id":"\#(id)","uid":"alice","content":"\#(word)","date":"2026-11-20","revision":\#(Int.random(in: 1...40, using: &dice))}"#
            )
        case 27: try await call("repair")
        case 28..<31: try await redis("DEL", "todomate:{alice}:log")
        case 31: try await redis("XTRIM", "todomate:{alice}:log", "MAXLEN", "0")
        case 32..<34: try await redis("XTRIM", "todomate:{alice}:log", "MAXLEN", "2")
        case 34..<36: try await flush()
        case 36..<38: try await save()
        default: try await rewind()
        }
    }

    private mutating func call(_ name: String, _ words: String...) async throws {
        steps.append("\(name) \(words.joined(separator: " "))")
        let answer = await functions(name, words)
        let isFine = ["TODOMATE_NOT_FOUND ", "TODOMATE_EXISTS ", "TODOMATE_INVALID alice has blocked "].contains {
            answer.hasPrefix($0)
        }
        guard answer.hasPrefix("TODOMATE_"), !isFine else { return }
        throw Surprise(description: "\(answer) after \(steps)")
    }

    struct Surprise: Error, CustomStringConvertible { var description: String }

    private mutating func redis(_ words: String...) async throws {
        steps.append(words.joined(separator: " "))
        try await send(words)
    }

    @discardableResult
    private func send(_ words: [String]) async throws -> RedisValue {
        var command = RedisCommand(words[0])
        for word in words.dropFirst() { command.append(word) }
        return try await client.send(command)
    }

    private func keys(_ pattern: String) async throws -> [String] {
        (try await send(["KEYS", pattern]).array ?? []).compactMap(\.string)
    }

    private mutating func flush() async throws {
        steps.append("flush")
        for key in try await keys("todomate:{alice}:*") { try await send(["DEL", key]) }
    }

    private mutating func save() async throws {
        steps.append("save")
        hasSaved = true
        for key in try await keys("saved:*") { try await send(["DEL", key]) }
        for key in try await keys("todomate:{alice}:*") { try await send(["COPY", key, "saved:\(key)"]) }
    }

    /// As a Redis that has lost its latest writes, or a backup that was put back.
    private mutating func rewind() async throws {
        guard hasSaved else { return }
        try await flush()
        steps[steps.count - 1] = "rewind"
        for key in try await keys("saved:*") { try await send(["COPY", key, String(key.dropFirst("saved:".count))]) }
    }
}
