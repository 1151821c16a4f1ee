import EventLoop
import RedisClient
import TestServers
import Testing
import TodoMate

@testable import TodoMateRedis

@Suite("A function call that fails")
@LoopActor
struct FunctionMendingTests {
    /// What goes wrong on the way.
    enum Failure: String, CaseIterable {
        case lost, full, unknown, otherWords

        /// What Redis says.
        var answer: String {
            switch self {
            case .lost: ""
            case .full: "-OOM command not allowed when used memory > 'maxmemory'\r\n"
            case .unknown: "-ERR Function not found\r\n"
            case .otherWords: "-TODOMATE_USAGE give fewer words\r\n"
            }
        }

        /// What is tried then; each of it once.
        var remedy: Int {
            switch self {
            case .lost: 0
            case .full: 1
            case .unknown, .otherWords: 2
            }
        }
    }

    /// All that can come one after the other, up to three failures.
    private static let histories: [[Failure]] = {
        let one = Failure.allCases.map { [$0] }
        let two = one.flatMap { first in Failure.allCases.map { first + [$0] } }
        return [[]] + one + two + two.flatMap { first in Failure.allCases.map { first + [$0] } }
    }()

    /// Calls `todomate_update` at a server where these failures come first, and answers what was sent and what came of it.
    private func call(
        _ failures: [Failure],
        isRepeatable: Bool
    ) async throws -> (sent: [String], answer: Result<RedisValue, TodoError>) {
        var sent: [String] = []
        let server = try FakeServer { words, client in
            switch words[0] {
            case "FCALL_RO" where words[1] == "todomate_version": return ":\(TodoFunctions.version)\r\n"
            case "FCALL":
                sent.append(words[1])
                guard sent.count <= failures.count else { return ":1\r\n" }
                if failures[sent.count - 1] == .lost { client.close() }
                return failures[sent.count - 1].answer
            case "ROLE": return FakeServer.array(["master"])
            case "PING": return "+PONG\r\n"
            default: return "+OK\r\n"
            }
        }
        defer { server.close() }
        let url = try RedisURL("redis://\(server.endpoint)")
        let client = RedisClient(url, timeout: .seconds(10))
        defer { client.close() }
        let functions = TodoFunctions(client)
        do throws(TodoError) {
            let answer = try await functions.call("todomate_update", "alice", ["a", "{}"], isRepeatable: isRepeatable)
            return (sent, .success(answer))
        } catch {
            return (sent, .failure(error))
        }
    }

    @Test("is mended once for each reason, in whatever order they come", arguments: [true, false])
    func histories(isRepeatable: Bool) async throws {
        for failures in Self.histories {
            // Up to the first failure that nothing is left against.
            var tried: Set<Int> = isRepeatable ? [] : [Failure.lost.remedy]
            let ending = failures.firstIndex { !tried.insert($0.remedy).inserted }
            let (sent, answer) = try await call(failures, isRepeatable: isRepeatable)
            #expect(sent.count == (ending ?? failures.count) + 1, "\(failures): \(sent)")
            let full = failures.firstIndex(of: .full) ?? failures.count
            for (index, name) in sent.enumerated() {
                #expect(name == (index > full ? "todomate_hide" : "todomate_update"), "\(failures): \(sent)")
            }
            #expect((try? answer.get()) == (ending == nil ? .integer(1) : nil), "\(failures): \(answer)")
        }
    }

    @Test("logs the device in Swift where it does in Lua")
    func signed() throws {
        let text = String(decoding: PackageResources.devices_lua, as: UTF8.self)
        let list = try #require(text.firstMatch(of: /SIGNED = \{([^}]*)\}/)).1
        let names = list.matches(of: /(\w+) = true/).map { "todomate_\($0.1)" }
        #expect(!names.isEmpty && Set(names) == TodoFunctions.signed)
    }
}
