import EventLoop
import Foundation
import RedisClient
import TestServers

/// The functions in a Redis, called for alice over one connection.
@LoopActor
struct Functions {
    fileprivate let client: RedisClient

    /// The answer of `todomate_<name>`, be it a value or an error; of an array, one element a line.
    func callAsFunction(_ name: String, _ words: String...) async -> String { await self(name, words) }

    func callAsFunction(_ name: String, _ words: [String]) async -> String {
        await raw(["todomate_\(name)", "1", "todomate:{alice}"] + words)
    }

    /// The answer of `todomate_<name>`; of an array all elements, be they numbers, arrays or errors, one a line.
    func whole(_ name: String, _ words: [String]) async -> String {
        var command = RedisCommand("FCALL", "todomate_\(name)", "1", "todomate:{alice}")
        for word in words { command.append(word) }
        do throws(RedisError) {
            return Self.lines(try await client.send(command)).joined(separator: "\n")
        } catch {
            if case .server(let error) = error { return error.message }
            return "\(error)"
        }
    }

    private static func lines(_ value: RedisValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(lines)
        case .integer(let number): [String(number)]
        case .error(let error): [error.message]
        default: [value.string ?? ""]
        }
    }

    /// The answer of `FCALL` with just these words.
    func raw(_ words: [String]) async -> String {
        var command = RedisCommand("FCALL")
        for word in words { command.append(word) }
        return String(decoding: await send(command), as: UTF8.self)
    }

    /// The answer to a call whose last word is any bytes.
    func answer(_ words: [String], json: [UInt8]) async -> [UInt8] {
        var command = RedisCommand("FCALL", "todomate_\(words[0])", "1", "todomate:{alice}")
        for word in words.dropFirst() { command.append(word) }
        command.append(json)
        return await send(command)
    }

    private func send(_ command: RedisCommand) async -> [UInt8] {
        do throws(RedisError) {
            let reply = try await client.send(command)
            if let elements = reply.array { return Array(elements.compactMap(\.bytes).joined(separator: [0x0A])) }
            return reply.bytes ?? Array((reply.integer.map(String.init) ?? reply.string ?? "").utf8)
        } catch {
            if case .server(let error) = error { return Array(error.message.utf8) }
            return Array("\(error)".utf8)
        }
    }
}

/// Runs `body` with a fresh Redis that has the functions: one, as what they do depends on nothing but the keys of their user, which are
/// always at one node. ``ClusterFunctionTests`` has what differs there.
func withFunctions(_ body: @LoopActor (Functions, RedisServer) async throws -> Void) async throws {
    try await withRedis { server in
        _ = try await server.todomate("list", "alice")
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        try await body(Functions(client: client), server)
    }
}

/// Makes up todos that are more or less wrong, the same ones for the same seed.
struct JSONNoise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A JSON text, mostly of an object with fields of a todo, at times damaged.
    mutating func todo() -> [UInt8] {
        var fields: [String] = []
        if roll(10) > 0 { fields.append("\"content\":\(roll(4) > 0 ? "\"milk \(roll(100))\"" : value())") }
        if roll(10) > 0 {
            fields.append(
                "\"date\":\(roll(4) > 0 ? "\"20\(10 + roll(90))-0\(1 + roll(9))-\(10 + roll(25))\"" : value())"
            )
        }
        for name in ["id", "uid", "detail", "status", "position", "colour", ""] where roll(6) == 0 {
            fields.append("\"\(name)\":\(value())")
        }
        var text = Array("{\(fields.joined(separator: ","))}".utf8)
        if roll(5) == 0, !text.isEmpty {
            for _ in 0...roll(3) { text[roll(text.count)] = UInt8(roll(256)) }
        }
        if roll(20) == 0 { text.removeLast(1 + roll(text.count)) }
        return text
    }

    private mutating func value() -> String {
        let values = [
            "null", "true", "0", "-1.5", "1e300", "1e-300", "9007199254740993", "[]", "{}", "[[[{}]]]", #""""#, #"" ""#,
            #""t\#(roll(5))""#, #""alice""#, #""todo""#, #""complete""#, #""2026-02-29""#, #""\u0000""#, #""\ud83d""#,
            #""\ud83d\ude00""#, #""e\u0301\u2028""#, #""<b>&amp;\/""#, "\"\u{202E}한글\u{FEFF}\"", #""\n\t\u001b""#,
            "\"\(String(repeating: "long ", count: roll(3000)))\"", String(repeating: "[", count: roll(1500)),
        ]
        return values[roll(values.count)]
    }

    /// A number from 0 up to but not including `sides`; SplitMix64 of Steele, Lea and Flood.
    private mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(sides))
    }
}
