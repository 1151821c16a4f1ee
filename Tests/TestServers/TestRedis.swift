public import EventLoop
public import Foundation
public import RedisClient

/// A Redis of the test's own: one server, or a cluster.
@LoopActor
public protocol TestRedis: AnyObject, Sendable {
    /// Where it is.
    nonisolated var url: RedisURL { get }
    /// Where it is, as programs take it.
    nonisolated var address: String { get }
    /// Where a test may put files of its own.
    nonisolated var folder: URL { get }
    /// Runs the real redis-cli and returns what it printed, without the last line feed; in a cluster a command without keys runs on
    /// every node, and a pattern of keys or what is printed is of all of them.
    nonisolated func cli(_ arguments: [String]) async throws -> String
    /// Ends at once what holds a user's data, as a crash would.
    func crash(_ uid: String) async throws
    /// Starts that again, with what it held or without, and waits until it answers.
    func restart(_ uid: String, isEmpty: Bool) async throws
}

extension TestRedis {
    /// Runs the real redis-cli.
    @discardableResult
    public nonisolated func cli(_ arguments: String...) async throws -> String { try await cli(arguments) }

    /// Whether it is a cluster.
    public nonisolated var isCluster: Bool { if case .cluster = url.transport { true } else { false } }
}

/// The kinds of Redis that a test can run on.
public enum RedisKind: String, CaseIterable, Sendable, CustomStringConvertible {
    case one, cluster

    public var description: String { rawValue }

    /// Each of these on one kind, in turn: for long tables of which no row tells more than its neighbours about what keeps the data.
    public static func inTurn<Row>(_ rows: [Row]) -> [(Row, RedisKind)] {
        rows.enumerated().map { ($1, allCases[$0 % allCases.count]) }
    }
}

/// Runs `body` with an empty Redis of this kind, which keeps every write.
public func withRedis<Result: Sendable>(
    on kind: RedisKind,
    body: @LoopActor (any TestRedis) async throws -> Result
) async throws -> Result {
    switch kind {
    case .one: return try await withRedis("--appendonly", "yes", "--appendfsync", "always") { try await body($0) }
    case .cluster:
        let cluster = try await SharedCluster.lease()
        return try await TestSession.$folders.withValue(cluster.folders) { try await body(cluster) }
    }
}
