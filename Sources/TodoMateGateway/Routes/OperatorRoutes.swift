import EventLoop
import HTTPServing
import TodoMate

/// Shows operators the workers and what accounts have, and has them suspend and limit accounts; nothing that accounts hold.
@LoopActor
final class OperatorRoutes {
    private static let page = 50

    private let store: any OperatorStoreType
    private let access: OperatorAccess
    private let directory: AccountDirectory
    private let reports: WorkerReports
    private let authenticator: Authenticator
    private let log: Logger

    init(_ stores: Stores, _ authenticator: Authenticator, _ reports: WorkerReports, _ log: Logger) {
        store = stores.operators
        access = OperatorAccess(authenticator, stores.operators)
        directory = AccountDirectory(stores.operators)
        (self.reports, self.authenticator, self.log) = (reports, authenticator, log)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/operator", overview)
        router.on(.get, "/v1/operator/users", list)
        router.on(.post, "/v1/operator/users/{uid}/suspend", suspend)
        router.on(.post, "/v1/operator/users/{uid}/resume", resume)
        router.on(.put, "/v1/operator/users/{uid}/limits", limit)
    }

    // MARK: Looking

    private func overview(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        _ = try await access.check(request, toWrite: .feed)
        try QueryNames.check(request, [], "this path takes no query")
        let accounts = try await directory.accounts()
        let (workers, silent) = await reports.all()
        let refused = workers.reduce(into: [:]) { $0.merge($1.refused, uniquingKeysWith: +) }
        let answer = JSONObject([
            "accounts": JSONObject([
                "all": accounts.names.count, "suspended": accounts.suspended.count,
                "operators": accounts.operators.count,
            ]),
            "workers": workers.map(\.shown), "silent": silent, "refused": CountTable(refused),
            "missing": accounts.missing > 0 ? accounts.missing : nil,
        ])
        return RelationRoutes.fresh(answer.text)
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        _ = try await access.check(request, toWrite: .feed)
        try QueryNames.check(request, ["prefix", "after", "only"], "use prefix, after and only")
        let (prefix, after) = (request.query("prefix") ?? "", request.query("after") ?? "")
        // What begins a name is made as names are, and so is where a page before has ended.
        for text in [prefix, after] where !text.isEmpty { try TodoBounds.uid(text) }
        guard let selection = AccountDirectory.Selection(rawValue: request.query("only") ?? "all") else {
            throw Problem(.invalid, "only must be all, suspended or operators")
        }
        let accounts = try await directory.accounts()
        let (names, hasMore) = accounts.page(of: selection, beginning: prefix, after: after, limit: Self.page)
        let missing = MissingNodes()
        let users = try await store.summaries(of: names, missing: missing).map(\.shown)
        let count = max(accounts.missing, missing.names.count)
        return RelationRoutes.fresh(
            JSONObject([
                "users": users, "next": hasMore ? names.last : nil, "missing": count > 0 ? count : nil,
            ]).text
        )
    }

    // MARK: Deciding

    private struct Reason: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case reason }

        var reason: String?

        init(from decoder: any Decoder) throws {
            reason = try decoder.container(keyedBy: CodingKeys.self).optional(.reason)
        }
    }

    private func suspend(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let by = try await access.check(request, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let reason = try Reason.read(request).reason ?? ""
        let isNew = try await decided { () async throws(TodoError) in
            try await store.suspend(path["uid"], for: reason, by: by)
        }
        if isNew {
            authenticator.sessions?.ended(of: path["uid"]) { _ in true }
            log.info("account suspended", ["uid": path["uid"], "by": by])
        }
        return try await answer(path["uid"])
    }

    private func resume(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let by = try await access.check(request, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        if try await store.resume(path["uid"], by: by) {
            authenticator.sessions?.ended(of: path["uid"]) { _ in false }
            log.info("account resumed", ["uid": path["uid"], "by": by])
        }
        return try await answer(path["uid"])
    }

    private struct Limits: RequestBody {
        enum CodingKeys: String, CodingKey, CaseIterable { case bytes, todos, tokens, writes, invitations }

        var changes: [AccountLimits.Kind: AccountLimits.Change] = [:]

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            for key in CodingKeys.allCases {
                guard let kind = AccountLimits.Kind(rawValue: key.rawValue) else { continue }
                changes[kind] = try fields.optionalWhole(key).map { .most($0) } ?? .serverDefault
            }
        }
    }

    /// All limits of an account at once: what is left out is what the server allows each.
    private func limit(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let by = try await access.check(request, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let changes = try Limits.read(request).changes
        let isNew = try await decided { () async throws(TodoError) in
            try await store.limit(path["uid"], changes, by: by)
        }
        if isNew {
            authenticator.sessions?.ended(of: path["uid"]) { _ in false }
            log.info("limits changed", ["uid": path["uid"], "by": by, "limits": AccountLimits.json(changes)])
        }
        return try await answer(path["uid"])
    }

    /// Operators decide nothing about each other, and nobody may ask again: no conflict that another try solves.
    private func decided(_ decide: @LoopActor () async throws(TodoError) -> Bool) async throws -> Bool {
        do throws(TodoError) {
            return try await decide()
        } catch {
            guard case .conflict(let text, _) = error else { throw error }
            throw Problem(.forbidden, text)
        }
    }

    private func answer(_ uid: String) async throws -> HTTPReply {
        directory.forget()
        guard let summary = try await store.summaries(of: [uid]).first else {
            throw Problem(.notFound, "\(uid) has no account (any more)")
        }
        return RelationRoutes.fresh(summary.shown.text)
    }
}
