import CommandArguments
import Testing

@testable import TodoMateCLI

@Suite("The doctor's findings about a server")
struct ServerFindingsTests {
    private static let good = """
        # Server
        redis_version:7.0.15
        redis_mode:standalone
        tcp_port:6379
        role:master
        aof_enabled:1
        connected_clients:10
        used_memory:1048576
        maxmemory:1073741824
        maxmemory_policy:noeviction
        total_system_memory:8589934592
        """
    private static let settings = [
        "appendfsync": "everysec", "save": "", "maxclients": "10000",
        "client-output-buffer-limit": "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
    ]

    private func findings(_ lines: String, _ settings: [String: String]) -> [Finding] {
        let info = Self.good + "\n" + lines
        return ServerFindings.findings(
            ServerFacts(info: info, config: Self.settings.merging(settings) { $1 })
        )
    }

    @Test("finds nothing to do about a good one")
    func good() {
        let findings = findings("", [:])
        #expect(findings.allSatisfy { $0.severity == .ok && $0.advice == nil }, "\(findings)")
        #expect(findings.count == 7)
    }

    /// What INFO says besides (the last word counts), settings, and what is found.
    struct Case: Sendable, CustomTestStringConvertible {
        var info = ""
        var settings: [String: String] = [:]
        var topic: String
        var severity: Finding.Severity
        var part: String
        var testDescription: String { "\(topic): \(part)" }
    }

    @Test(
        "finds what is wrong, and says what to do",
        arguments: [
            Case(info: "redis_version:6.2.1", topic: "version", severity: .error, part: "Redis 6.2.1"),
            Case(info: "valkey_version:7.2.5", topic: "version", severity: .error, part: "Valkey 7.2.5"),
            Case(info: "valkey_version:8.0.1", topic: "version", severity: .ok, part: "Valkey 8.0.1"),
            Case(info: "redis_mode:cluster", topic: "version", severity: .error, part: "Cluster"),
            Case(info: "aof_enabled:0", topic: "persistence", severity: .error, part: "nothing is kept"),
            Case(
                info: "aof_enabled:0",
                settings: ["save": "3600 1"],
                topic: "persistence",
                severity: .warning,
                part: "save 3600 1"
            ),
            Case(settings: ["appendfsync": "no"], topic: "persistence", severity: .warning, part: "30 s"),
            Case(settings: ["appendfsync": "always"], topic: "persistence", severity: .ok, part: "no acknowledged"),
            Case(settings: ["aof-load-truncated": "yes"], topic: "crashes", severity: .note, part: "half-written"),
            Case(info: "aof_last_write_status:err", topic: "disk", severity: .error, part: "append-only file failed"),
            Case(info: "rdb_last_bgsave_status:err", topic: "disk", severity: .error, part: "snapshot failed"),
            Case(info: "maxmemory_policy:allkeys-lru", topic: "eviction", severity: .error, part: "thrown away"),
            Case(
                info: "maxmemory_policy:allkeys-lfu\nmaxmemory:0",
                topic: "eviction",
                severity: .warning,
                part: "would be thrown away"
            ),
            Case(info: "maxmemory_policy:volatile-ttl", topic: "eviction", severity: .ok, part: "no todo"),
            Case(info: "used_memory:1020054732", topic: "memory", severity: .error, part: "94 % of maxmemory"),
            Case(info: "used_memory:858993459", topic: "memory", severity: .warning, part: "79 % of maxmemory"),
            Case(info: "used_memory:5153960755\nmaxmemory:0", topic: "memory", severity: .warning, part: "machine's"),
            Case(
                settings: ["client-output-buffer-limit": "normal 0 0 0 slave 1 1 1 pubsub 65536 0 0"],
                topic: "output buffers",
                severity: .warning,
                part: "64 KiB"
            ),
            Case(
                settings: ["client-output-buffer-limit": "pubsub 0 0 0"],
                topic: "output buffers",
                severity: .warning,
                part: "without limit"
            ),
            Case(info: "connected_clients:9500", topic: "connections", severity: .warning, part: "9500 of 10000"),
            Case(
                info: "role:slave\nmaster_host:10.0.0.1\nmaster_port:6379",
                topic: "replication",
                severity: .error,
                part: "replica"
            ),
            Case(
                info: "connected_slaves:1\nslave0:ip=10.0.0.2,port=6379,state=wait_bgsave,offset=0,lag=0",
                topic: "replication",
                severity: .warning,
                part: "10.0.0.2:6379 lags"
            ),
            Case(
                info: "connected_slaves:1\nslave0:ip=10.0.0.2,port=6379,state=online,offset=0,lag=1",
                topic: "replication",
                severity: .ok,
                part: "1 replicas keep up"
            ),
            Case(settings: ["min-replicas-to-write": "2"], topic: "replication", severity: .error, part: "2 must"),
            Case(
                settings: ["bind": "0.0.0.0", "requirepass": "", "protected-mode": "no"],
                topic: "password",
                severity: .warning,
                part: "network"
            ),
        ]
    )
    func cases(_ example: Case) throws {
        let finding = try #require(findings(example.info, example.settings).first { $0.topic == example.topic })
        #expect(finding.severity == example.severity && finding.message.contains(example.part), "\(finding)")
        #expect((finding.advice == nil) == (finding.severity == .ok))
    }

    @Test("says nothing of what it cannot see")
    func blind() {
        #expect(ServerFindings.findings(ServerFacts(info: "redis_version:7.2.0", config: [:])).count == 2)
    }

    @Test(
        "judges times",
        arguments: [
            (SpeedCheck.latency(.milliseconds(1), .milliseconds(500)), Finding.Severity.ok),
            (SpeedCheck.latency(.milliseconds(20), .milliseconds(500)), .warning),
            (SpeedCheck.latency(.milliseconds(200), .milliseconds(500)), .error),
            (SpeedCheck.clock(-0.4), .ok), (SpeedCheck.clock(-2), .warning),
            (SpeedCheck.clock(90), .error),
        ]
    )
    func times(finding: Finding, severity: Finding.Severity) { #expect(finding.severity == severity) }

    @Test("ends with an exit code for scripts, and with one JSON object")
    func report() throws {
        #expect(DoctorReport([.ok("a", "b"), .note("a", "b")]).exitCode == .ok)
        #expect(DoctorReport([.warning("a", "b", "c")]).exitCode == .doubtful)
        #expect(DoctorReport([.warning("a", "b", "c"), .error("a", "b", "c")]).exitCode == .unhealthy)
        #expect(
            try DoctorReport([.error("a", "b/\"", "c")]).json()
                == #"{"findings":[{"advice":"c","message":"b/\"","severity":"error","topic":"a"}],"healthy":false}"#
                + "\n"
        )
    }
}
