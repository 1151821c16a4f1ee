import Foundation
import TodoMate

/// What `todomate up` prints once it runs: where the board and Redis are, and lines to try.
struct UpBanner {
    let port: Int
    let httpPort: Int
    let workers: Int
    let data: String
    let users: [String]

    var text: String {
        let user = users.first ?? "alice"
        let today = CalendarDate(Date(), in: .current)
        let cli = "redis-cli -p \(port)"
        return """

            Open the board: http://127.0.0.1:\(httpPort)/#\(user)

            TodoMate is up: \(workers) worker\(workers == 1 ? "" : "s") on one Redis at 127.0.0.1:\(port); todos are kept in \(data).
            Type these in another terminal and watch it follow:

              \(cli) FCALL todomate_add 1 'todomate:{\(user)}' '{"content":"Buy milk","date":"\(today)"}'
              \(cli) FCALL_RO todomate_list 1 'todomate:{\(user)}'
              \(cli) PUBLISH 'todomate:{\(user)}:changes' \
            '{"type":"added","todo":{"id":"t1","uid":"\(user)","date":"\(today)","content":"hi"}}'
              \(cli) SUBSCRIBE 'todomate:{\(user)}:changes'
              curl -N http://127.0.0.1:\(httpPort)/v1/users/\(user)/changes

            Ctrl-C ends it all; the next start finds the todos again.

            """
    }
}
