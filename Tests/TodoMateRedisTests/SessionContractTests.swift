import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// The kinds of stores that obey the one contract.
enum StoresKind: CaseIterable {
    case inMemory, redis, cluster
    /// What clients have of a server: no suite of what only servers have runs on it.
    case http

    /// Those of servers.
    static let servers: [StoresKind] = [.inMemory, .redis, .cluster]

    /// Runs `body` with empty stores of this kind.
    @LoopActor
    func with(_ body: @escaping @LoopActor (Stores) async throws -> Void) async throws {
        switch self {
        case .inMemory: try await body(InMemoryTodoRepository().stores)
        case .http: try await withHTTPStores { try await body($0) }
        case .redis, .cluster:
            try await withRedis(on: self == .redis ? .one : .cluster) { server in
                let repository = RedisTodoRepository(server.url)
                defer { repository.close() }
                try await repository.prepare()
                try await body(repository.stores)
            }
        }
    }
}

@LoopActor
private final class Answers { var all: [Int: LiveSessions] = [:] }

/// Writes down which sessions of a user are said to have ended.
@LoopActor
private final class Endings: SessionChannelListener {
    private(set) var news: [SessionNews] = []
    private(set) var isOpen = false
    nonisolated init() {}
    func channelOpened() { isOpen = true }
    func channelPublished(_ change: TodoChange) {}
    func channelPublished(_ news: SessionNews) { self.news.append(news) }
    func channelRefused(_ refusal: MessageRefusal) { Issue.record("\(refusal)") }
    func channelLost() {}
}

@Suite("Every store of accounts", .serialized)
@LoopActor
struct SessionContractTests {
    private static let hash = "$argon2id$one"
    private static let other = "$argon2id$two"

    private func draft(_ id: String = RandomID.next(), _ kind: SessionKind = .token) -> SessionDraft {
        SessionDraft(id: id, kind: kind, seconds: 3600, from: "192.0.2.0/24", device: "curl", name: "a name")
    }

    @Test("knows who can sign in, and from where they did", arguments: StoresKind.servers)
    func facts(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let nobody = SignInFacts(passwordHash: nil, isKnownAddress: false)
            #expect(try await stores.accounts.signInFacts(of: "alice", from: "192.0.2.1") == nobody)
            await #expect(throws: TodoError.self) {
                try await stores.accounts.rememberAddress("192.0.2.1", of: "alice")
            }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await stores.accounts.rememberAddress("192.0.2.1", of: "alice")
            for (address, isKnown) in [("192.0.2.1", true), ("192.0.2.2", false)] {
                let facts = try await stores.accounts.signInFacts(of: "alice", from: address)
                #expect(facts == SignInFacts(passwordHash: Self.hash, isKnownAddress: isKnown))
            }
            for number in 10..<30 { try await stores.accounts.rememberAddress("192.0.2.\(number)", of: "alice") }
            for (address, isKnown) in [("192.0.2.29", true), ("192.0.2.1", false)] {
                #expect(try await stores.accounts.signInFacts(of: "alice", from: address).isKnownAddress == isKnown)
            }
        }
    }

    @Test(
        "makes an account once, and gives its name to nobody else while something is left",
        arguments: StoresKind.servers
    )
    func accounts(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for (keeps, isThere) in [(false, true), (true, true), (false, false), (true, false)] {
                if !isThere, !keeps {
                    let draft = TodoDraft(date: .earliest, content: "x")
                    _ = try await stores.todos.add(draft, for: "alice")
                    try await stores.sessions.removeAccount("alice")
                    await #expect(throws: TodoError.self) { try await stores.sessions.removeAccount("alice") }
                }
                let attempt = {
                    try await stores.sessions.enroll("alice", passwordHash: Self.other, keepingData: keeps)
                }
                if keeps, !isThere {
                    try await attempt()
                } else {
                    await #expect { try await attempt() } throws: {
                        if case TodoError.exists = $0 { true } else { false }
                    }
                }
            }
            #expect(try await stores.accounts.signInFacts(of: "alice", from: "192.0.2.1").passwordHash == Self.other)
        }
    }

    @Test("begins sessions of the account as it is, and lists them", arguments: StoresKind.servers)
    func begins(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            await #expect(throws: TodoError.self) { _ = try await stores.sessions.begin(draft(), of: "alice") }
            #expect(try await stores.sessions.live(of: "alice") == LiveSessions(generation: nil, ids: []))
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let generation = try #require(try await stores.sessions.live(of: "alice").generation)
            let (first, second) = (draft(), draft(kind: .signIn))
            #expect(try await stores.sessions.begin(first, of: "alice", since: generation) == generation)
            #expect(try await stores.sessions.begin(second, of: "alice") == generation)
            await #expect(throws: TodoError.self) { _ = try await stores.sessions.begin(first, of: "alice") }
            await #expect(throws: TodoError.self) {
                _ = try await stores.sessions.begin(draft(), of: "alice", since: generation + 1)
            }
            let live = LiveSessions(generation: generation, ids: [first.id, second.id])
            let answers = Answers()
            await stores.sessions.readLive(of: ["bob", "alice"]) { answers.all[$0] = try? $1.get() }
            #expect(answers.all == [0: LiveSessions(generation: nil, ids: []), 1: live])
            let listed = try await stores.sessions.sessions(of: "alice")
            #expect(Set(listed.map(\.id)) == live.ids && listed.allSatisfy { $0.expires == $0.made + 3600 })
            #expect(listed.first { $0.id == second.id }?.kind == .signIn)
            #expect(
                listed.first?.from == "192.0.2.0/24" && listed.first?.device == "curl" && listed.first?.name == "a name"
            )
        }
    }

    @Test("ends one or all of them, and says so on the channel", arguments: StoresKind.servers)
    func ends(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let channel = Endings()
            stores.todos.openChannel(of: "alice", channel)
            try await eventually("the channel is open") { channel.isOpen }
            let all = (0..<3).map { _ in draft() }
            var generation = 0
            for one in all { generation = try await stores.sessions.begin(one, of: "alice") }
            await #expect(throws: TodoError.self) { try await stores.sessions.end(RandomID.next(), of: "alice") }
            try await stores.sessions.end(all[0].id, of: "alice")
            #expect(try await stores.sessions.live(of: "alice").ids == [all[1].id, all[2].id])
            #expect(try await stores.sessions.endAll(of: "alice") == 2)
            #expect(try await stores.sessions.setPasswordHash(Self.other, of: "alice") == 0)
            try await stores.sessions.removeAccount("alice")
            #expect(try await stores.sessions.live(of: "alice").generation == nil)
            // Each beginning is said as well.
            try await eventually("all of it is said") { channel.news.count == 3 + 4 }
            let news = channel.news.dropFirst(3)
            #expect(news.map(\.ended) == [[all[0].id], [], [], []])
            #expect(news.first?.generation == generation)
            let generations = news.map(\.generation)
            #expect(generations == generations.sorted() && Set(generations).count == 4)
        }
    }

    @Test("ends all but one of them, which goes on as it is", arguments: StoresKind.servers)
    func endsOthers(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let channel = Endings()
            stores.todos.openChannel(of: "alice", channel)
            try await eventually("the channel is open") { channel.isOpen }
            let all = (0..<3).map { _ in draft() }
            var generation = 0
            for one in all { generation = try await stores.sessions.begin(one, of: "alice") }
            await #expect(throws: TodoError.self) {
                try await stores.sessions.endOthers(than: RandomID.next(), of: "alice")
            }
            await #expect(throws: TodoError.self) { try await stores.sessions.endOthers(than: all[0].id, of: "bob") }
            #expect(try await stores.sessions.endOthers(than: all[1].id, of: "alice") == 2)
            #expect(try await stores.sessions.endOthers(than: all[1].id, of: "alice") == 0)
            let live = LiveSessions(generation: generation, ids: [all[1].id])
            #expect(try await stores.sessions.live(of: "alice") == live)
            try await eventually("it is said") { channel.news.count == 3 + 1 }
            #expect(channel.news.last?.generation == generation)
            #expect(channel.news.last.map { Set($0.ended) } == [all[0].id, all[2].id])
        }
    }

    @Test("changes a password and goes on with one new sign-in, in one step", arguments: StoresKind.servers)
    func changesPassword(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let sessions = stores.sessions
            await #expect(throws: TodoError.self) {
                _ = try await sessions.changePassword(
                    to: Self.other,
                    of: "alice",
                    since: 0,
                    beginning: draft(kind: .signIn)
                )
            }
            try await sessions.enroll("alice", passwordHash: Self.hash)
            let (mine, theirs) = (draft(kind: .signIn), draft(kind: .signIn))
            let before = try await sessions.begin(mine, of: "alice")
            _ = try await sessions.begin(theirs, of: "alice")
            let next = draft(kind: .signIn)
            _ = try await sessions.endOthers(than: mine.id, of: "alice")
            await #expect(throws: TodoError.self, "by a session that was ended while the password was hashed") {
                _ = try await sessions.changePassword(
                    to: Self.other,
                    of: "alice",
                    since: before,
                    beginning: next,
                    by: theirs.id
                )
            }
            for (generation, draft) in [(before + 1, next), (0, next), (before, draft(kind: .token))] {
                await #expect(throws: TodoError.self) {
                    _ = try await sessions.changePassword(
                        to: Self.other,
                        of: "alice",
                        since: generation,
                        beginning: draft
                    )
                }
            }
            #expect(try await stores.accounts.signInFacts(of: "alice", from: "192.0.2.1").passwordHash == Self.hash)
            let after = try await sessions.changePassword(
                to: Self.other,
                of: "alice",
                since: before,
                beginning: next,
                by: mine.id
            )
            #expect(after > before)
            #expect(try await sessions.live(of: "alice") == LiveSessions(generation: after, ids: [next.id]))
            #expect(try await stores.accounts.signInFacts(of: "alice", from: "192.0.2.1").passwordHash == Self.other)
        }
    }

    @Test("says that somebody signs in, and which session has made a token", arguments: StoresKind.servers)
    func begun(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let channel = Endings()
            stores.todos.openChannel(of: "alice", channel)
            try await eventually("the channel is open") { channel.isOpen }
            let signIn = draft(kind: .signIn)
            let generation = try await stores.sessions.begin(signIn, of: "alice")
            var token = draft()
            token.by = signIn.id
            _ = try await stores.sessions.begin(token, of: "alice")
            try await eventually("it is said") { channel.news.count == 2 }
            #expect(
                channel.news == [
                    SessionNews(generation: generation, ended: [], begun: signIn.id),
                    SessionNews(generation: generation, ended: [], begun: token.id, by: signIn.id),
                ]
            )
            token.id = RandomID.next()
            token.by = "no id"
            await #expect(throws: TodoError.self) { _ = try await stores.sessions.begin(token, of: "alice") }
        }
    }

    @Test("keeps what a token may do, and gives none to a sign-in", arguments: StoresKind.servers)
    func scopes(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for scope in TokenScope.allCases {
                var token = draft()
                token.scope = scope
                _ = try await stores.sessions.begin(token, of: "alice")
                let listed = try await stores.sessions.sessions(of: "alice").first { $0.id == token.id }
                #expect(listed?.scope == scope && listed?.name == "a name")
                var signIn = draft(kind: .signIn)
                signIn.scope = scope
                await #expect(throws: TodoError.self) { _ = try await stores.sessions.begin(signIn, of: "alice") }
            }
            for label in ["two\nlines", "a\u{85}b", String(repeating: "n", count: 65)] {
                var token = draft()
                token.name = label
                await #expect(throws: TodoError.self) { _ = try await stores.sessions.begin(token, of: "alice") }
            }
            #expect(try await stores.sessions.sessions(of: "alice").count == TokenScope.allCases.count)
        }
    }

    @Test("notes the use of sessions that are there, and revives none", arguments: StoresKind.servers)
    func notesUses(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (first, second, ended) = (draft(), draft(kind: .signIn), draft())
            try await stores.sessions.noteUses(of: [first.id], by: "alice")
            #expect(try await stores.sessions.sessions(of: "alice").isEmpty)
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for one in [first, second, ended] { _ = try await stores.sessions.begin(one, of: "alice") }
            #expect(try await stores.sessions.sessions(of: "alice").allSatisfy { $0.used == nil })
            try await stores.sessions.end(ended.id, of: "alice")
            try await stores.sessions.noteUses(of: [first.id, ended.id], by: "alice")
            let listed = try await stores.sessions.sessions(of: "alice")
            #expect(Set(listed.map(\.id)) == [first.id, second.id], "what has ended stays so")
            let used = try #require(listed.first { $0.id == first.id }?.used)
            #expect(abs(used - Int(Date().timeIntervalSince1970)) < 60)
            #expect(listed.first { $0.id == second.id }?.used == nil)
            try await stores.sessions.noteUses(of: [first.id, second.id], by: "alice")
            let again = try await stores.sessions.sessions(of: "alice")
            #expect(again.first { $0.id == first.id }?.used == used, "within the hour it stays")
            #expect(again.first { $0.id == first.id }?.name == "a name", "what else is known of it stays")
            #expect(again.first { $0.id == second.id }?.used != nil)
            #expect(try await stores.sessions.live(of: "alice").ids == [first.id, second.id])
        }
    }

    @Test("lets the oldest sign-in go for one too many, and refuses a token too many", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for kind in SessionKind.allCases {
                for _ in 0..<100 { _ = try await stores.sessions.begin(draft(kind: kind), of: "alice") }
            }
            await #expect { _ = try await stores.sessions.begin(draft(), of: "alice") } throws: {
                if case TodoError.full = $0 { true } else { false }
            }
            let last = draft(kind: .signIn)
            _ = try await stores.sessions.begin(last, of: "alice")
            let ids = try await stores.sessions.live(of: "alice").ids
            #expect(ids.count == 200 && ids.contains(last.id))
        }
    }

    private func draft(kind: SessionKind) -> SessionDraft { draft(RandomID.next(), kind) }
}
