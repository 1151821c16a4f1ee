import EventLoop
import Foundation
import RedisClient
import TestServers
import TodoMate

/// The ways in which a writer writes.
enum Door: String, CaseIterable {
    case http, function, command

    /// What came of a write.
    enum Outcome {
        /// It was carried out; the todo as it is now, or as it last was.
        case done(Todo?)
        /// There is no such todo.
        case missing
        /// Nobody knows; the text is for the report.
        case unknown(String)
    }
}

/// Writes todos through a door of a deployment.
@LoopActor
struct DoorKeeper {
    let door: Door
    let deployment: Deployment
    let client: RedisClient

    func add(_ id: String, _ content: String, _ date: String, for uid: String) async -> Door.Outcome {
        let todo = "{\"id\":\"\(id)\",\"content\":\"\(content)\",\"date\":\"\(date)\"}"
        switch door {
        case .http: return await http("POST", "/v1/users/\(uid)/todos", todo)
        case .function: return await function("todomate_add", uid, [todo])
        case .command: return await command(["add", uid, content, "--date", date, "--id", id, "--json"])
        }
    }

    func edit(_ id: String, _ content: String, of uid: String) async -> Door.Outcome {
        switch door {
        case .http: await http("PATCH", "/v1/users/\(uid)/todos/\(id)", "{\"content\":\"\(content)\"}")
        case .function: await function("todomate_update", uid, [id, "{\"content\":\"\(content)\"}"])
        case .command: await command(["edit", uid, id, "--content", content, "--json"])
        }
    }

    func remove(_ id: String, of uid: String) async -> Door.Outcome {
        switch door {
        case .http: await http("DELETE", "/v1/users/\(uid)/todos/\(id)", "")
        case .function: await function("todomate_remove", uid, [id])
        case .command: await command(["remove", uid, id, "--json"])
        }
    }

    private func http(_ method: String, _ path: String, _ body: String) async -> Door.Outcome {
        guard let answer = await HTTPCaller.call(method, path, body, port: deployment.httpPort) else {
            return .unknown("no answer")
        }
        switch answer.status {
        case 200, 201, 204: return .done(Self.todo(answer.body))
        case 404: return .missing
        default: return .unknown("\(answer.status)")
        }
    }

    private func function(_ name: String, _ uid: String, _ arguments: [String]) async -> Door.Outcome {
        var command = RedisCommand("FCALL", name, "1", "todomate:{\(uid)}")
        for argument in arguments { command.append(argument) }
        do throws(RedisError) {
            let reply = try await client.send(command)
            return .done((try? TodoChange(message: reply.bytes ?? [], uid: uid))?.todo)
        } catch .server(let error) where error.message.hasPrefix("TODOMATE_NOT_FOUND") {
            return .missing
        } catch {
            return .unknown(error.description)
        }
    }

    private func command(_ words: [String]) async -> Door.Outcome {
        // The address of a Unix socket is described without its scheme.
        let environment = ["TODOMATE_REDIS": "unix://\(deployment.redis.url)", "TODOMATE_TIMEOUT": "2s"]
        guard let outcome = try? await Program.run("todomate", words, environment: environment) else {
            return .unknown("not started")
        }
        if outcome.ending == .exit(0) { return .done(Self.todo(Array(outcome.output.utf8))) }
        return outcome.errors.contains("no todo with the id") ? .missing : .unknown(outcome.errors)
    }

    private static func todo(_ bytes: [UInt8]) -> Todo? {
        (try? JSONDecoder().decode(TodoDTO.self, from: Data(bytes)))?.toModel()
    }
}
