import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateGateway

/// Changes whose versions are higher than a snapshot's, although they are from before it, as after a clock was set back; a last
/// change of a history that was lost looks the same.
@Suite("A reader whose snapshot was ahead of the clock")
@LoopActor
struct ClockSetBackTests {
    @LoopActor
    private final class Clock {
        var now = Date()
    }

    /// What is read, and by whom.
    enum Way: CaseIterable {
        case own, ownDays, viewer, board

        var path: String {
            switch self {
            case .own, .viewer: "/v1/users/alice/changes"
            case .ownDays: "/v1/users/alice/changes?from=2026-11-20&to=2026-11-20"
            case .board: "/v1/changes?users=alice"
            }
        }

        var reader: String { self == .viewer || self == .board ? "bob" : "alice" }
    }

    @Test("gets another snapshot, and misses nothing", arguments: Way.allCases)
    func stream(_ way: Way) async throws {
        let clock = Clock()
        let repository = InMemoryTodoRepository(now: { clock.now })
        let stores = repository.stores
        _ = try await stores.relations.set(AccountPatch(audience: .public, visibility: .public), of: "alice")
        let generations = try await TestSession.beginAll(in: stores.sessions)
        try await TestSession.$generations.withValue(generations) {
            let gateway = try MemoryGateway(over: repository)
            clock.now += 3600
            try await gateway.add("alice", "first", id: "first", visibility: .public)
            let reader = try RawConnection(port: gateway.port)
            let bearer = try GatewayProcess.bearer(way.reader)
            reader.send("GET \(way.path) HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n")
            try await eventually("the snapshot has the first") { reader.text.contains(#""content":"first""#) }
            clock.now -= 3600
            for content in ["second", "third"] {
                try await gateway.add("alice", content, id: content, visibility: .public)
                try await eventually("\(content) has come") { reader.text.contains("\"content\":\"\(content)\"") }
            }
            #expect(reader.text.components(separatedBy: "event: snapshot").count == 3)
            try await gateway.finish()
        }
    }
}
