import EventLoop
import RedisClient
import TestServers

/// Writes todos of many users at an even pace, half over HTTP and half with functions, and keeps each user's few.
@LoopActor
final class SoakWriter {
    private let site: SoakSite
    private let users: [String]
    private var random: SeededRandom
    private var todos: [String: [String]] = [:]
    private var count = 0
    private var underWay = 0
    private(set) var acknowledged = 0
    private(set) var objections: [String] = []

    private static let mostTodos = 8
    static let days = ["2026-11-19", "2026-11-20", "2026-11-21"]

    init(_ site: SoakSite, users: [String], _ random: SeededRandom) {
        (self.site, self.users, self.random) = (site, users, random)
    }

    var isIdle: Bool { underWay == 0 }

    /// Begins one write.
    func write() {
        guard let uid = users.randomElement(using: &random), let port = site.ports.randomElement(using: &random) else {
            return
        }
        count += 1
        let own = todos[uid] ?? []
        let day = Self.days[count % Self.days.count]
        underWay += 1
        if own.count < Self.mostTodos, own.isEmpty || Bool.random(using: &random) {
            let body = "{\"id\":\"t\(count)\",\"content\":\"\(uid)!\(count)\",\"date\":\"\(day)\"}"
            todos[uid] = own + ["t\(count)"]
            call("POST", uid, nil, body, port)
        } else if let id = own.randomElement(using: &random), Bool.random(using: &random) {
            call("PATCH", uid, id, "{\"content\":\"\(uid)!\(count)\",\"date\":\"\(day)\"}", port)
        } else if let id = own.first {
            todos[uid] = Array(own.dropFirst())
            call("DELETE", uid, id, "", port)
        }
    }

    private func call(_ method: String, _ uid: String, _ id: String?, _ body: String, _ port: Int) {
        let isFunction = count % 2 == 0
        Task {
            let outcome = isFunction ? await function(method, uid, id, body) : await http(method, uid, id, body, port)
            underWay -= 1
            // Two writes of one todo may overtake each other: that a later one finds it gone is right.
            if let outcome { objections.append("\(method) of \(uid): \(outcome)") } else { acknowledged += 1 }
        }
    }

    private func http(_ method: String, _ uid: String, _ id: String?, _ body: String, _ port: Int) async -> String? {
        let path = "/v1/users/\(uid)/todos" + (id.map { "/\($0)" } ?? "")
        let answer = await HTTPCaller.call(method, path, body, port: port)
        guard let status = answer?.status else { return "no answer" }
        return [200, 201, 204, 404].contains(status) ? nil : "answered with \(status)"
    }

    private func function(_ method: String, _ uid: String, _ id: String?, _ body: String) async -> String? {
        let names = ["POST": "todomate_add", "PATCH": "todomate_update", "DELETE": "todomate_remove"]
        var command = RedisCommand("FCALL", names[method] ?? "", "1", "todomate:{\(uid)}")
        if let id { command.append(id) }
        if !body.isEmpty { command.append(body) }
        do throws(RedisError) {
            _ = try await site.client.send(command)
            return nil
        } catch .server(let error) where error.message.hasPrefix("TODOMATE_NOT_FOUND") {
            return nil
        } catch {
            return error.description
        }
    }
}
