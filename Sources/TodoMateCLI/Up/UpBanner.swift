import Foundation
import TodoMate

/// What `todomate up` prints once it runs: where the board and Redis are, and lines to try.
struct UpBanner {
    let port: Int
    let httpPort: Int
    let workers: Int
    let data: String
    let users: [String]
    /// Whether people have to sign in.
    let hasSecret: Bool

    /// Where a command looks for Redis when nobody says otherwise.
    private static let usualPort = 6379

    var text: String {
        let user = users.first ?? "alice"
        let today = CalendarDate(Date(), in: .current)
        let cli = "redis-cli -p \(port)"
        return """

            Open the board: http://127.0.0.1:\(httpPort)/#\(user)

            TodoMate is up: \(workers) worker\(workers == 1 ? "" : "s") on one Redis at 127.0.0.1:\(port); todos are kept in \(data).
            Type these in another terminal and watch it follow:

            \(commandLines(user).map { "  \($0)\n" }.joined())\
              \(cli) FCALL todomate_add 1 'todomate:{\(user)}' '{"content":"Buy milk","date":"\(today)"}'
              \(cli) FCALL_RO todomate_list 1 'todomate:{\(user)}'
              # shown, not stored:
              \(cli) PUBLISH 'todomate:{\(user)}:changes' \
            '{"type":"added","todo":{"id":"t1","uid":"\(user)","date":"\(today)","content":"hi"}}'
              \(cli) SUBSCRIBE 'todomate:{\(user)}:changes'
              curl -N \(authorization(user))http://127.0.0.1:\(httpPort)/v1/users/\(user)/changes

            Ctrl-C ends it all; the next start finds the todos again.

            """
    }

    /// What the command itself needs to know, and to have.
    private func commandLines(_ user: String) -> [String] {
        (port == Self.usualPort ? [] : ["export TODOMATE_REDIS=redis://127.0.0.1:\(port)/0"])
            + (hasSecret ? ["todomate user add \(user)   # a password for the board"] : [])
            + ["todomate add \(user) \"Call mum\""]
    }

    private func authorization(_ user: String) -> String {
        hasSecret ? "-H \"Authorization: Bearer $(todomate token \(user))\" " : ""
    }
}
