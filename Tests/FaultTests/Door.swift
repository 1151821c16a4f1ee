import EventLoop
import Foundation
import RedisClient
import TestServers
import TodoMate
import TodoMateRedis

/// The ways in which a writer writes.
enum Door: String, CaseIterable {
    case http, function, command

    /// What came of a write.
    enum Outcome {
        /// It was carried out, or there was nothing to do; the todo as it is now, or as it last was.
        case done(Todo?)
        /// There is no such todo.
        case missing
        /// The todo is not at the expected write any more, or it is another one: nothing was written.
        case refused
        /// An answer that is never right.
        case wrong(String)
        /// Nobody knows; the text is for the report.
        case unknown(String)
    }

    /// What came of a conditional read.
    enum Reading {
        case todo(Todo)
        /// It is what the reader says to have.
        case same
        case missing
        case unknown
    }
}

/// Writes todos through a door of a deployment.
@LoopActor
struct DoorKeeper {
    let door: Door
    let deployment: Deployment
    let client: RedisClient

    func add(
        _ id: String,
        _ content: String,
        _ date: String,
        _ visibility: Visibility? = nil,
        for uid: String
    ) async -> Door.Outcome {
        let todo =
            "{\"id\":\"\(id)\",\"content\":\"\(content)\",\"date\":\"\(date)\"\(Self.field(visibility))\(Self.field(time: id))}"
        switch door {
        case .http: return await http("POST", "/v1/users/\(uid)/todos", todo)
        case .function: return await function("todomate_add", uid, [todo])
        case .command:
            let words = ["add", uid, content, "--date", date, "--id", id, "--json"] + Self.option(visibility)
            return await command(words + (Self.time(of: id).map { ["--time", $0] } ?? []))
        }
    }

    /// - Parameter expected: the write that the todo must still be of; nil for any.
    func edit(
        _ id: String,
        _ content: String,
        _ visibility: Visibility? = nil,
        of uid: String,
        expecting expected: ExpectedRevision? = nil
    ) async -> Door.Outcome {
        let patch = "{\"content\":\"\(content)\"\(Self.field(visibility))}"
        switch door {
        case .http: return await http("PATCH", "/v1/users/\(uid)/todos/\(id)", patch, expecting: expected)
        case .function: return await function("todomate_update", uid, [id, patch], expecting: expected)
        case .command:
            let words = ["edit", uid, id, "--content", content, "--json"] + Self.option(visibility)
            return await command(words, expecting: expected)
        }
    }

    func remove(_ id: String, of uid: String, expecting expected: ExpectedRevision? = nil) async -> Door.Outcome {
        switch door {
        case .http: await http("DELETE", "/v1/users/\(uid)/todos/\(id)", "", expecting: expected)
        case .function: await function("todomate_remove", uid, [id], expecting: expected)
        case .command: await command(["remove", uid, id, "--json"], expecting: expected)
        }
    }

    /// Reads a todo over HTTP, whatever the door.
    ///
    /// - Parameter known: the write whose words the reader has; nil for none.
    func read(_ id: String, of uid: String, knowing known: ExpectedRevision? = nil) async -> Door.Reading {
        let headers = known.map { ["If-None-Match": "\"\($0)\""] } ?? [:]
        let path = "/v1/users/\(uid)/todos/\(id)"
        let answer = await HTTPCaller.call("GET", path, headers: headers, port: deployment.httpPort)
        switch answer?.status {
        case 200: return answer.flatMap { Self.todo($0.body) }.map { .todo($0) } ?? .unknown
        case 304: return .same
        case 404: return .missing
        default: return .unknown
        }
    }

    private func http(
        _ method: String,
        _ path: String,
        _ body: String,
        expecting expected: ExpectedRevision? = nil
    ) async -> Door.Outcome {
        let headers = expected.map { ["If-Match": "\"\($0)\""] } ?? [:]
        guard let answer = await HTTPCaller.call(method, path, body, headers: headers, port: deployment.httpPort)
        else { return .unknown("no answer") }
        switch answer.status {
        case 200, 201:
            let todo = Self.todo(answer.body)
            let isTagged = todo.map { answer.etag == "\"\($0.written)\"" } ?? false
            return isTagged ? .done(todo) : .wrong("the tag \(answer.etag ?? "that is none") for \(answer)")
        case 204: return .done(nil)
        case 404: return .missing
        case 409, 412: return .refused
        case 400, 422, 500: return .wrong("\(answer.status): \(String(decoding: answer.body, as: UTF8.self))")
        default: return .unknown("\(answer.status)")
        }
    }

    /// A change, or `{"type":"unchanged","todo":{…}}`.
    private struct Answer: Decodable {
        var type: String
        var todo: TodoDTO
    }

    private func function(
        _ name: String,
        _ uid: String,
        _ arguments: [String],
        expecting expected: ExpectedRevision? = nil
    ) async -> Door.Outcome {
        var command = FunctionCall.command(name, of: uid, isInCluster: client.isCluster)
        for argument in arguments + (expected.map { [$0.description] } ?? []) { command.append(argument) }
        do throws(RedisError) {
            let reply = try await client.send(command)
            return .done((try? JSONDecoder().decode(Answer.self, from: Data(reply.bytes ?? [])))?.todo.toModel())
        } catch .server(let error) where error.message.hasPrefix("TODOMATE_NOT_FOUND") {
            return .missing
        } catch .server(let error) where error.message.contains(/^TODOMATE_(CONFLICT|EXISTS)/) {
            return .refused
        } catch .server(let error) where error.message.contains(/^TODOMATE_(INVALID|USAGE|CORRUPT)/) {
            return .wrong(error.message)
        } catch {
            return .unknown(error.description)
        }
    }

    private func command(_ words: [String], expecting expected: ExpectedRevision? = nil) async -> Door.Outcome {
        let environment = ["TODOMATE_REDIS": deployment.address, "TODOMATE_TIMEOUT": "2s"]
        let words = words + (expected.map { ["--expect", $0.description] } ?? [])
        guard let outcome = try? await Program.run("todomate", words, environment: environment) else {
            return .unknown("not started")
        }
        if outcome.ending == .exit(0) { return .done(Self.todo(Array(outcome.output.utf8))) }
        if outcome.errors.contains("the todo is now at revision") || outcome.errors.contains("another todo has the id")
        {
            return .refused
        }
        return outcome.errors.contains("no todo ") ? .missing : .unknown(outcome.errors)
    }

    private static func field(_ visibility: Visibility?) -> String {
        visibility.map { ",\"visibility\":\"\($0.rawValue)\"" } ?? ""
    }

    /// Some have a time, each the same one whenever it is added.
    private static func time(of id: String) -> String? { id.last == "3" ? "09:30" : id.last == "7" ? "21:15" : nil }

    private static func field(time id: String) -> String { time(of: id).map { ",\"time\":\"\($0)\"" } ?? "" }

    private static func option(_ visibility: Visibility?) -> [String] {
        visibility.map { ["--visibility", $0.rawValue] } ?? []
    }

    private static func todo(_ bytes: [UInt8]) -> Todo? {
        (try? JSONDecoder().decode(TodoDTO.self, from: Data(bytes)))?.toModel()
    }
}
