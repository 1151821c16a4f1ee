import Foundation
import RedisClient
import TodoMate

/// What `todomate up` prints once it runs: where the board and Redis are, and lines to try.
///
/// The lines work in sh, zsh and fish, pasted one by one or all at once.
struct UpBanner {
    let redis: PrivateStore
    let httpPort: Int
    let workers: Int
    let data: String
    let users: [String]
    /// Whether people have to sign in.
    let hasSecret: Bool
    /// Where `todomate` is; nil where a shell finds it.
    let folder: String?

    var text: String {
        let user = users.first ?? "alice"
        let today = CalendarDate(Date(), in: .current)
        let key = "'todomate:{\(user)}'"
        let keys = redis.isCluster ? "2 \(key) 'todomate:{\(user)}:log'" : "1 \(key)"
        let (subscribe, publish) = redis.isCluster ? ("SSUBSCRIBE", "SPUBLISH") : ("SUBSCRIBE", "PUBLISH")
        let place = redis.isCluster ? "a Redis Cluster of \(redis.servers.count) nodes" : "one Redis"
        return """

            Open the board: http://127.0.0.1:\(httpPort)/#\(user)

            TodoMate is up: \(workers) worker\(workers == 1 ? "" : "s") on \(place); todos are kept in \(data).
            Type these in another terminal and watch it follow:

            \(commandLines(user).map { "  \($0)\n" }.joined())\
              \(cli) FCALL todomate_add \(keys) '{"content":"Buy milk","date":"\(today)"}'
              \(cli) FCALL_RO todomate_list \(keys)
              \(cli) \(subscribe) 'todomate:{\(user)}:changes'
              curl -N \(authorization(user))http://127.0.0.1:\(httpPort)/v1/users/\(user)/changes

            This one is shown, and not stored:

              \(cli) \(publish) 'todomate:{\(user)}:changes' \
            '{"type":"added","todo":{"id":"t1","uid":"\(user)","date":"\(today)","content":"hi"}}'
            \(portLines(user))
            Ctrl-C ends it all; the next start finds the todos again.

            """
    }

    /// The folder of a program; nil where a `PATH` leads to one of its name.
    static func folder(of program: String, outside path: String?) -> String? {
        let program = URL(filePath: program)
        let folders = path?.split(separator: ":").map { URL(filePath: String($0)) } ?? []
        let isFound = folders.contains {
            FileManager.default.isExecutableFile(atPath: $0.appending(path: program.lastPathComponent).path)
        }
        return isFound ? nil : program.deletingLastPathComponent().path
    }

    /// The real redis-cli.
    private var cli: String {
        // -c follows a user's data to their node.
        if redis.isCluster, let first = redis.endpoints.first { return "redis-cli -c -p \(first.port)" }
        return "redis-cli -s \(Self.quoted(redis.servers[0].socket))"
    }

    /// What the commands need to know, and to have.
    private func commandLines(_ user: String) -> [String] {
        var lines = folder.map { ["export PATH=\(Self.quoted($0)):\"$PATH\""] } ?? []
        lines.append("export TODOMATE_REDIS=\(redis.url)")
        if let path = redis.password?.path {
            lines.append("export TODOMATE_REDIS_PASSWORD_FILE=\(Self.quoted(path))")
            lines.append("export REDISCLI_AUTH=\"$(cat \(Self.quoted(path)))\"")
        }
        // It has a password.
        if hasSecret { lines.append("todomate user add \(user)") }
        return lines + ["todomate add \(user) \"Call mum\""]
    }

    private func portLines(_ user: String) -> String {
        guard let port = redis.servers[0].port, let path = redis.password?.path else { return "" }
        guard !redis.isCluster else {
            return """

                Its nodes listen on \(redis.endpoints.map(\.description).joined(separator: ", ")), with the password in that file.

                """
        }
        return """

            Redis listens on 127.0.0.1:\(port) as well, with the password in that file:

              REDISCLI_AUTH="$(cat \(Self.quoted(path)))" redis-cli -p \(port) FCALL_RO todomate_list 1 'todomate:{\(user)}'

            """
    }

    private func authorization(_ user: String) -> String {
        hasSecret ? "-H \"Authorization: Bearer $(todomate token \(user))\" " : ""
    }

    /// What ends that Redis when this program is no longer there to do it.
    static func endingLine(_ redis: PrivateRedis) -> String {
        let login = redis.password.map { "REDISCLI_AUTH=\"$(cat \(quoted($0.path)))\" " } ?? ""
        return "\(login)redis-cli -s \(quoted(redis.socket)) SHUTDOWN"
    }

    /// A word of a command line for sh, zsh and fish; the last of them reads backslashes between quotes, too.
    static func quoted(_ word: String) -> String {
        guard word.contains(/[^A-Za-z0-9\/._-]/) else { return word }
        return "'" + word.replacing(/['\\]/) { "'\\\($0.output)'" } + "'"
    }
}
