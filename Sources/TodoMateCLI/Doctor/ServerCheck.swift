import EventLoop
import RedisClient

/// Reads the server's facts and settings.
@LoopActor
enum ServerCheck {
    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        var config = RedisCommand("CONFIG", "GET")
        for name in ServerFacts.settings { config.append(name) }
        let replies = try await context.client.pipelined([RedisCommand("INFO"), config])
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
        var settings: [String: String] = [:]
        if let words = replies[1].array?.map({ $0.string ?? "" }) {
            for index in stride(from: 0, to: words.count - 1, by: 2) { settings[words[index]] = words[index + 1] }
        } else {
            let advice = "ACL SETUSER <user> +config|get, or look yourself"
            findings.append(
                .note("settings", "this Redis user may not read the settings: some are not checked", advice)
            )
        }
        findings = ServerFindings.findings(ServerFacts(info: info, config: settings)) + findings
        findings.insert(.ok("redis", "at \(context.redis)"), at: 0)
        if let advice = context.redis.advice { findings.append(.note("database", advice)) }
        return findings
    }
}
