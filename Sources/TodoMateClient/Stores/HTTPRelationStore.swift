import EventLoop
import Foundation
import TodoMate

/// Relations and settings of a server, over HTTP.
@LoopActor
final class HTTPRelationStore: RelationStoreType {
    private static let page = 1000

    private let server: Server
    /// Lays over somebody's settings what was done here.
    var shown: @LoopActor (AccountSettings) -> AccountSettings = { $0 }

    init(_ server: Server) { self.server = server }

    /// The server decides: setting it changes nothing.
    var isForAccountsAlone: Bool {
        get { true }
        set {}
    }

    func follow(_ other: String, by uid: String, at position: Double?) async throws(TodoError) -> Relation {
        if let position { try TodoBounds.position(position) }
        let body = position.map { JSONObject(["position": $0]).text }
        do throws(ServerFailure) {
            return try await server.answer(try request(.put, uid, "following", other, body: body)).read()
        } catch {
            // Private, blocking or full: the answer does not say which.
            guard error.kind == "forbidden" else { throw error.todoError }
            return try await relation(of: uid, with: other)
        }
    }

    func unfollow(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await pair(.delete, uid, "following", other)
    }

    func arrange(_ other: String, at position: Double, by uid: String) async throws(TodoError) -> Relation {
        // Over HTTP, whoever is given a place and is not followed would be; nobody follows themselves, as the server says.
        let isFollowed = try await following(of: uid).contains { $0.uid == other }
        guard isFollowed || other == uid else {
            throw .notFound("\(uid) does not follow \(other)")
        }
        return try await follow(other, by: uid, at: position)
    }

    func accept(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await pair(.put, uid, "followers", other)
    }

    func dismiss(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await pair(.delete, uid, "followers", other)
    }

    func block(_ other: String, by uid: String) async throws(TodoError) -> Relation {
        try await pair(.put, uid, "blocked", other)
    }

    func unblock(_ other: String, by uid: String, bringingBack: Bool) async throws(TodoError) -> Relation {
        try await pair(.delete, uid, "blocked", other, query: bringingBack ? [("back", "true")] : [])
    }

    /// Put together from the lists, which are all that a server shows.
    func relation(of uid: String, with other: String) async throws(TodoError) -> Relation {
        let following = try await following(of: uid).first { $0.uid == other }?.state ?? .none
        var lists: Set<FollowerList> = []
        for list in FollowerList.allCases where try await has(other, in: list, of: uid) { lists.insert(list) }
        return Relation(
            uid: uid,
            with: other,
            following: following,
            follower: lists.contains(.following) ? .following : lists.contains(.requested) ? .requested : .none,
            blocked: lists.contains(.blocked)
        )
    }

    private func has(_ other: String, in list: FollowerList, of uid: String) async throws(TodoError) -> Bool {
        var next: String?
        repeat {
            let part = try await followers(of: uid, in: list, limit: Self.page, after: next)
            if part.followers.contains(where: { $0.uid == other }) { return true }
            next = part.next
        } while next != nil
        return false
    }

    func following(of uid: String) async throws(TodoError) -> [Followed] {
        struct List: Decodable { var following: [Followed] }
        let path = try HTTPTodoRepository.path(uid, "following")
        return try await server.value(of: ServerRequest(.get, path).kept, as: List.self).following
    }

    func followers(
        of uid: String,
        in list: FollowerList,
        limit: Int,
        after next: String?
    ) async throws(TodoError) -> FollowerPage {
        let query = [("state", list.rawValue), ("limit", String(limit)), ("after", next)]
        return try await server.value(
            of: ServerRequest(.get, try HTTPTodoRepository.path(uid, "followers"), query: query)
        )
    }

    func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings {
        var rest = patch
        if let seen = patch.feedSeen {
            rest.feedSeen = nil
            let path = try HTTPTodoRepository.path(uid, "feed", "seen")
            try await server.ask(ServerRequest(.put, path, body: JSONObject(["seen": seen]).text))
        }
        guard !rest.isEmpty else { return try await profile(of: uid).settings }
        let path = try HTTPTodoRepository.path(uid, "profile")
        return try await server.value(of: ServerRequest(.patch, path, body: rest.json), as: AccountProfile.self)
            .settings
    }

    /// Of the viewer alone.
    ///
    /// - Throws: ``TodoError/refused(_:)`` for others, of whom a server shows less.
    func profile(of uid: String) async throws(TodoError) -> AccountProfile {
        /// Others are shown without how they want to be seen.
        struct Known: Decodable {
            let profile: AccountProfile?

            private enum Keys: CodingKey { case uid, visibility }

            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: Keys.self)
                // What does not say whose it is is no profile.
                _ = try fields.decode(String.self, forKey: .uid)
                let isWhole = fields.contains(.visibility)
                profile = isWhole ? try AccountProfile(from: decoder) : nil
            }
        }
        let request = Self.profile(of: try TodoBounds.uid(uid))
        guard var profile = try await server.value(of: request, as: Known.self).profile else {
            throw .refused("the settings of \(uid) are for \(uid) alone")
        }
        profile.settings = shown(profile.settings)
        return profile
    }

    static func profile(of uid: String) -> ServerRequest { ServerRequest(.get, ["users", uid, "profile"]).kept }

    func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson {
        struct People: Decodable { var people: [PublicPerson] }
        try TodoBounds.uid(uid)
        let query = [("users", uid), ("viewer", viewer)]
        let request = ServerRequest(.get, ["people"], query: query).kept
        let people = try await server.value(of: request, as: People.self).people
        return people.first ?? PublicPerson(uid: uid)
    }

    /// Nothing: the server does so itself whenever one of the two looks.
    func settle(_ uid: String) async throws(TodoError) -> Int { 0 }

    /// Nothing: the server does so itself when somebody gets an account.
    func settleWishes(for uid: String) async throws(TodoError) {}

    private func pair(
        _ method: ServerRequest.Method,
        _ uid: String,
        _ list: String,
        _ other: String,
        query: [(String, String?)] = []
    ) async throws(TodoError) -> Relation {
        do throws(ServerFailure) {
            return try await server.answer(try request(method, uid, list, other, query: query)).read()
        } catch {
            throw error.todoError
        }
    }

    private func request(
        _ method: ServerRequest.Method,
        _ uid: String,
        _ list: String,
        _ other: String,
        query: [(String, String?)] = [],
        body: String? = nil
    ) throws(ServerFailure) -> ServerRequest {
        do throws(TodoError) {
            try TodoBounds.uid(other)
            return ServerRequest(method, try HTTPTodoRepository.path(uid, list, other), query: query, body: body)
        } catch {
            throw .invalid(error.description)
        }
    }
}
