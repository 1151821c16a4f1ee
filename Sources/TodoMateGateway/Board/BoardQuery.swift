import Foundation
import HTTPServing
import TodoMate

/// The query of a board: `?users=alice,bob&zone=Asia/Seoul`.
struct BoardQuery {
    /// Most users of one board.
    static let mostUsers = 100

    let users: [String]

    init(_ request: HTTPRequest) throws(Problem) {
        let listed = request.query.filter { $0.name == "users" }
        guard listed.count == 1, let text = listed.first?.value, !text.isEmpty else {
            throw Problem(.invalid, "name the users once, separated by commas: users=alice,bob")
        }
        var seen: Set<String> = []
        users = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            .filter { seen.insert($0).inserted }
        for user in users {
            do throws(TodoError) {
                try TodoBounds.uid(user)
            } catch {
                throw Problem(error)
            }
        }
        guard users.count <= Self.mostUsers else {
            throw Problem(.invalid, "a board has at most \(Self.mostUsers) users, not \(users.count)")
        }
    }

    /// The time zone that a query names; UTC when it names none.
    static func zone(_ request: HTTPRequest) throws(Problem) -> TimeZone {
        guard let name = request.query("zone") else { return .gmt }
        guard let zone = TimeZone(identifier: name) else {
            throw Problem(.invalid, "zone must be the name of a time zone, such as Asia/Seoul or UTC")
        }
        return zone
    }
}
