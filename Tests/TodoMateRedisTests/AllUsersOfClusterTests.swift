import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateRedis

@Suite("The changes of all users while a node of their cluster is away", .serialized)
@LoopActor
struct AllUsersOfClusterTests {
    enum Trouble: String, CaseIterable, Sendable {
        case silent, down, takesNoSubscriptions

        @LoopActor
        func begin(_ node: RedisCluster.Node) async throws {
            switch self {
            case .silent: node.server.signal(SIGSTOP)
            case .down: await node.server.crash()
            case .takesNoSubscriptions:
                try await node.cli("ACL", "SETUSER", "default", "-ssubscribe")
                try await node.cli("CLIENT", "KILL", "TYPE", "pubsub")
            }
        }

        @LoopActor
        func end(_ node: RedisCluster.Node, of cluster: RedisCluster) async throws {
            switch self {
            case .silent: node.server.signal(SIGCONT)
            case .down: try await cluster.restart(node)
            case .takesNoSubscriptions: try await node.cli("ACL", "SETUSER", "default", "+ssubscribe")
            }
        }
    }

    @LoopActor
    private final class Reader {
        private(set) var todos: [Todo] = []
        private var loop: Task<Void, Never>?

        init(_ repository: RedisTodoRepository) {
            let changes = repository.observeTodoChanges()
            loop = Task { @LoopActor [weak self] in
                for await change in changes { self?.todos.append(change.todoDTO.toModel()) }
            }
        }

        func contents(of uid: String) -> [String] { todos.filter { $0.uid == uid }.map(\.content) }
    }

    @Test(
        "are told of the others, and of its users again once it is back: each once, none of before, and gaps can be read",
        arguments: Trouble.allCases,
        ["opened before", "opened meanwhile"]
    )
    func away(_ trouble: Trouble, _ moment: String) async throws {
        try await withRedisCluster(primaries: 3, replicas: 0, "--appendonly", "yes", "--appendfsync", "always") {
            cluster in
            let (writer, repository) = (RedisTodoRepository(cluster.url), RedisTodoRepository(cluster.url))
            defer {
                writer.close()
                repository.close()
            }
            let users = (0..<3).map { RedisCluster.user("old", at: $0) }
            let (newcomer, lateComer) = (RedisCluster.user("new", at: 0), RedisCluster.user("new", at: 2))
            var number = 0
            @LoopActor func write(_ what: String, _ uid: String) async throws -> Todo {
                number += 1
                let draft = TodoDraft(date: CalendarDate(daysSince1970: 20_000), content: "\(what) \(number)")
                return try await writer.add(draft, for: uid).todo
            }
            for uid in users { _ = try await write("unheard", uid) }
            var reader: Reader?
            @LoopActor func eventuallyTold(_ what: String, _ uids: [String]) async throws {
                try await eventually("\(uids) are told of: \(what)", within: .seconds(40)) {
                    for uid in uids { _ = try? await write(what, uid) }
                    return uids.allSatisfy { uid in reader?.contents(of: uid).contains { $0.hasPrefix(what) } == true }
                }
            }
            if moment == "opened before" {
                reader = Reader(repository)
                try await eventuallyTold("again", users)
            }
            try await trouble.begin(cluster.nodes[2])
            reader = reader ?? Reader(repository)
            try await eventuallyTold("meanwhile", [users[0], users[1]])
            _ = try await write("first", newcomer)
            try await eventually("a newcomer is told of", within: .seconds(40)) {
                reader?.contents(of: newcomer).first?.hasPrefix("first") == true
            }
            let known = reader?.todos.last { $0.uid == users[2] }
            if trouble == .takesNoSubscriptions { for _ in 0..<3 { _ = try await write("missed", users[2]) } }
            try await trouble.end(cluster.nodes[2], of: cluster)
            try await eventuallyTold("afterwards", users)
            _ = try await write("first", lateComer)
            try await eventually("who came late is told of", within: .seconds(40)) {
                reader?.contents(of: lateComer).first?.hasPrefix("first") == true
            }
            let all = try #require(reader).todos
            #expect(Set(all.map(\.content)).count == all.count, "each once")
            #expect(!all.contains { $0.content.hasPrefix("unheard") }, "none of before")
            for uid in users {
                let revisions = all.filter { $0.uid == uid }.map(\.revision)
                #expect(revisions == revisions.sorted())
            }
            guard let known, trouble == .takesNoSubscriptions else { return }
            // What was missed leaves a gap, and is in the log.
            let next = try #require(all.first { $0.uid == users[2] && $0.revision > known.revision })
            #expect(next.revision > known.revision + 3)
            let last = ChangeID(version: known.revision, microseconds: known.micros)
            let missed = try await writer.changes(of: users[2], since: last, within: nil) ?? []
            #expect(missed.prefix(3).allSatisfy { $0.todo.content.hasPrefix("missed") } && missed.count > 3)
        }
    }
}
