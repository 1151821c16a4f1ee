import EventLoop
import RedisClient

/// Reads the server's facts and settings.
@LoopActor
enum ServerCheck {
    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        var findings = try await EachNode.findings(context) {
            try await self.findings($0, isInCluster: context.client.isCluster)
        }
        findings.insert(.ok("redis", "at \(context.redis)"), at: 0)
        if let advice = context.redis.advice { findings.append(.note("database", advice)) }
        return findings
    }

    private static func findings(_ node: RedisNode, isInCluster: Bool) async throws(RedisError) -> [Finding] {
        var config = RedisCommand("CONFIG", "GET")
        for name in ServerFacts.settings { config.append(name) }
        let replies = try await node.pipelined([RedisCommand("INFO"), config])
        guard let info = replies[0].string else {
            return [
                .warning(
                    "server",
                    "this Redis user may not run INFO",
                    "allow it: ACL SETUSER <user> +info +config|get"
                )
            ]
        }
        var findings: [Finding] = []
        let settings = ServerFacts.settings(in: replies[1])
        if settings == nil {
            let advice = "ACL SETUSER <user> +config|get, or look yourself"
            findings.append(
                .note("settings", "this Redis user may not read the settings: some are not checked", advice)
            )
        }
        return ServerFindings.findings(ServerFacts(info: info, config: settings ?? [:]), isInCluster: isInCluster)
            + findings
    }
}
