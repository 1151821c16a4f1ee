import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// A stream that stays open, and what its reader has of each owner.
@LoopActor
private final class OpenStream {
    private let make: () throws -> BoardReader
    private var reader: BoardReader
    private var read = 0
    private var known: [String: SharedView] = [:]

    init(_ make: @escaping () throws -> BoardReader) throws {
        self.make = make
        reader = try make()
    }

    var views: [String: SharedView] {
        let events = reader.events
        known = SharedView.views(after: events[read...], from: known)
        read = events.count
        return known
    }

    var badges: String? { reader.events.last { $0.name == "badges" }?.data }

    /// The todos of the one owner of a plain stream, which ends when the access changes and is opened again then.
    func plainTodos() throws -> [String: String] {
        let todos = views.values.reduce(into: [:]) { $0.merge($1.todos) { $1 } }
        let isRefused = reader.text.hasPrefix("HTTP/1.1 403 ")
        guard reader.isEnded || isRefused else { return todos }
        reader.close()
        (reader, read, known) = (try make(), 0, [:])
        return [:]
    }

    func close() { reader.close() }
}

/// Three people who follow, leave, block, hide and show at random, and everything that shows it.
@LoopActor
private final class Walk {
    static let people = ["alice", "bob", "carol"]
    private static let dates = ["2026-11-20", "2026-12-01"]
    private static let visibilities = Visibility.allCases.map(\.rawValue)
    private static let patience = Duration.seconds(60)

    private let seed: UInt64
    private var random: SeededRandom
    private let server: any TestRedis
    private let gateways: [GatewayProcess]
    private let boards: [(viewer: String, query: String, stream: OpenStream)]
    private let plain: [(viewer: String, owner: String, stream: OpenStream)]
    private let lists: [(viewer: String, owner: String, list: ViewedList)]
    private var todos: [(owner: String, id: String)] = []
    private(set) var done: [String] = []
    private(set) var seen: Set<String> = []

    init(
        _ seed: UInt64,
        _ server: any TestRedis,
        _ gateways: [GatewayProcess],
        _ repository: RedisTodoRepository
    ) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        self.server = server
        self.gateways = gateways
        let pairs = Self.people.flatMap { viewer in
            Self.people.filter { $0 != viewer }.map { (viewer: viewer, owner: $0) }
        }
        let service = DIContainer(repository: repository).todoRealtimeService
        boards = try Self.people.flatMap { viewer in
            try ["", "&month=2026-11"].map { query in
                let badges = query.isEmpty ? "&\(NoonZone.query)" : ""
                let stream = try OpenStream {
                    try BoardReader(gateways[1].port, Self.target + query + badges, as: viewer)
                }
                return (viewer, query, stream)
            }
        }
        plain = try pairs.map { viewer, owner in
            let stream = try OpenStream {
                try BoardReader(gateways[1].port, "/v1/users/\(owner)/changes", as: viewer)
            }
            return (viewer, owner, stream)
        }
        let sharing = SharingService(repository.stores, service, Logger(write: { _ in }))
        let viewed = Dictionary(uniqueKeysWithValues: Self.people.map { ($0, ViewedTodos(by: $0, from: sharing)) })
        lists = try pairs.map { viewer, owner in (viewer, owner, ViewedList(owner, try #require(viewed[viewer]))) }
    }

    private static var target: String { "/v1/changes?users=\(people.joined(separator: ","))" }

    func close() {
        for board in boards { board.stream.close() }
        for stream in plain { stream.stream.close() }
    }

    /// Does something, whatever comes of it.
    func step() async throws {
        let who = try #require(Self.people.randomElement(using: &random))
        let other = try #require(Self.people.filter { $0 != who }.randomElement(using: &random))
        let visibility = try #require(Self.visibilities.randomElement(using: &random))
        let date = try #require(Self.dates.randomElement(using: &random))
        let owned = todos.filter { $0.owner == who }.randomElement(using: &random)?.id
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<3: try await ask("PUT /v1/users/\(who)/following/\(other)", who)
        case 3: try await ask("DELETE /v1/users/\(who)/following/\(other)", who)
        case 4: try await ask("PUT /v1/users/\(who)/followers/\(other)", who)
        case 5, 6:
            // At random, few would ask and be accepted after that.
            try await ask("PUT /v1/users/\(other)/following/\(who)", other)
            try await ask("PUT /v1/users/\(who)/followers/\(other)", who)
        case 7: try await ask("DELETE /v1/users/\(who)/followers/\(other)", who)
        case 8, 9: try await ask("PUT /v1/users/\(who)/blocked/\(other)", who)
        case 10..<13: try await ask("DELETE /v1/users/\(who)/blocked/\(other)", who)
        case 13, 14: try await ask("PATCH /v1/users/\(who)/profile", who, #"{"audience":"\#(visibility)"}"#)
        case 15, 16:
            // As when whoever said so dies before the other side hears of it.
            let name = ["follow", "unfollow", "accept", "dismiss", "block", "unblock"].randomElement(using: &random)
            let function = "todomate_\(name ?? "")"
            done.append("\(function) \(who) \(other)")
            _ = try await server.call(function, who, other)
        case 17, 18:
            guard let owned else { return try await add(who, visibility, date) }
            try await ask("PATCH /v1/users/\(who)/todos/\(owned)", who, #"{"visibility":"\#(visibility)"}"#)
        case 19:
            guard let owned else { return try await add(who, visibility, date) }
            let body = #"{"content":"word \#(done.count)","date":"\#(date)"}"#
            try await ask("PATCH /v1/users/\(who)/todos/\(owned)", who, body)
        case 20:
            guard let owned else { return try await add(who, visibility, date) }
            try await ask("DELETE /v1/users/\(who)/todos/\(owned)", who)
            todos.removeAll { $0.id == owned }
        default: try await add(who, visibility, date)
        }
    }

    private func add(_ who: String, _ visibility: String, _ date: String) async throws {
        let id = "t\(done.count)"
        todos.append((who, id))
        let body = #"{"id":"\#(id)","content":"\#(id)","date":"\#(date)","visibility":"\#(visibility)"}"#
        try await ask("POST /v1/users/\(who)/todos", who, body)
    }

    private func ask(_ line: String, _ who: String, _ body: String? = nil) async throws {
        done.append("\(line) \(body ?? "")")
        let answer = try await gateways[0].ask(line, as: who, body: body)
        try #require(answer.status.map { $0 < 500 } == true, "\(line): \(answer.text)")
    }

    /// Waits until all that is open shows what is shown anew.
    func expectTheSame() async throws {
        let deadline = ContinuousClock.now + Self.patience
        while let difference = try await difference() {
            guard ContinuousClock.now < deadline else {
                let history = done.suffix(12).joined(separator: "\n")
                Issue.record("seed \(seed), step \(done.count): \(difference)\nafter …\n\(history)")
                throw CancellationError()
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until the badges are those that are counted anew.
    func expectTheSameBadges() async throws {
        for board in boards where board.query.isEmpty {
            let deadline = ContinuousClock.now + Self.patience
            let line = "GET /v1/users/\(board.viewer)/badges?\(NoonZone.query)"
            while true {
                let counted = try await gateways[0].ask(line, as: board.viewer).body
                let told = board.stream.badges
                if told == counted { break }
                guard ContinuousClock.now < deadline else {
                    Issue.record("seed \(seed), step \(done.count): \(board.viewer) has \(told ?? ""), not \(counted)")
                    throw CancellationError()
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func difference() async throws -> String? {
        let fresh = try boards.map { try BoardReader(gateways[0].port, Self.target + $0.query, as: $0.viewer) }
        defer { for reader in fresh { reader.close() } }
        var expected: [String: [String: SharedView]] = [:]
        for (board, reader) in zip(boards, fresh) {
            try await eventually("a new board has begun") { Self.first(reader.events).count == Self.people.count }
            let views = SharedView.views(after: Self.first(reader.events))
            if board.query.isEmpty { expected[board.viewer] = views }
            for view in views.values {
                if case .open(let access, _) = view { seen.insert(access) } else { seen.insert("closed") }
            }
            let open = board.stream.views
            for owner in Self.people where open[owner] != views[owner] {
                return "\(board.viewer)'s board\(board.query) has of \(owner)\n\(text(open[owner]))\n"
                    + "a new one\n\(text(views[owner]))"
            }
        }
        for (viewer, owner, stream) in plain {
            let (todos, wanted) = (try stream.plainTodos(), expected[viewer]?[owner]?.todos ?? [:])
            if todos != wanted { return "\(viewer)'s stream of \(owner) has\n\(todos)\na new board\n\(wanted)" }
        }
        for (viewer, owner, list) in lists {
            let (todos, wanted) = (list.todos, expected[viewer]?[owner]?.todos ?? [:])
            if todos != wanted {
                return "\(viewer)'s observer of \(owner) has\n\(todos ?? [:])\na new board\n\(wanted)"
            }
        }
        return nil
    }

    /// What a board begins with.
    private static func first(_ events: [BoardReader.Event]) -> ArraySlice<BoardReader.Event> {
        events.filter { ["snapshot", "closed"].contains($0.name) }.prefix(people.count)
    }

    private func text(_ view: SharedView?) -> String { view.map(\.description) ?? "nothing yet" }
}

@Suite("Random walks over relations and visibilities", .serialized)
@LoopActor
struct SharingWalkTests {
    private static let steps = 80
    private static let stepsBetweenBadges = 10

    @Test(
        "show the same to who looked all the time as to who comes anew",
        arguments: [(.one, 1), (.one, 2), (.one, 3), (.one, 4), (.one, 5), (.cluster, 6), (.cluster, 7)]
            as [(RedisKind, UInt64)]
    )
    func walk(_ kind: RedisKind, seed: UInt64) async throws {
        try await withGateway(on: kind) { server, gateway in
            let other = try await GatewayProcess(on: server, port: freePort())
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            try await repository.prepare()
            let walk = try Walk(seed, server, [gateway, other], repository)
            do {
                try await walk.expectTheSame()
                for number in 1...Self.steps {
                    try await walk.step()
                    try await walk.expectTheSame()
                    if number.isMultiple(of: Self.stepsBetweenBadges) { try await walk.expectTheSameBadges() }
                }
                // A walk that stayed in one place would show nothing.
                #expect(walk.seen == ["own", "followers", "public", "closed"])
            } catch is CancellationError {
                // Told already.
            }
            walk.close()
            repository.close()
            try await other.finish()
        }
    }
}
