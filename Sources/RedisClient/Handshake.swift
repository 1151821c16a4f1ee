/// The commands that open a connection, and what their answers mean.
///
/// See the AUTH, SELECT, CLIENT SETNAME, HELLO and ROLE command pages of Redis.
struct Handshake {
    enum Progress: Equatable {
        /// Another answer is due.
        case more
        /// Redis is ready for us.
        case finished
        /// Redis is up, but busy starting or stopping: trying again will help.
        case notReady(String)
        /// Only a change of the settings can help.
        case refused(String)
    }

    private enum Step { case auth, select, name, hello, role, ping }

    let commands: [RedisCommand]
    private let steps: [Step]
    private let url: RedisURL
    private let server: RedisEndpoint?
    private var answered = 0

    /// - Parameters:
    ///   - url: how the Redis was named of which this is a server.
    ///   - server: which of its servers this is, if there may be several.
    init(_ url: RedisURL, server: RedisEndpoint? = nil) {
        var steps: [(Step, RedisCommand)] = []
        if let password = url.password {
            var auth = RedisCommand("AUTH")
            if let user = url.user { auth.append(user) }
            auth.append(password)
            steps.append((.auth, auth))
        }
        if url.database != 0 { steps.append((.select, RedisCommand("SELECT", String(url.database)))) }
        steps.append((.name, RedisCommand("CLIENT", "SETNAME", url.clientName)))
        switch url.transport {
        // A server that is named by itself may turn out to be one of a cluster.
        case .tcp, .unix: if !url.isKnownServer { steps.append((.hello, RedisCommand("HELLO"))) }
        // A sentinel may name a server that is not the primary yet, or not any more.
        case .sentinel: steps.append((.role, RedisCommand("ROLE")))
        case .cluster: break
        }
        // Its answer distinguishes LOADING, MASTERDOWN and a missing password from a server that is ready.
        steps.append((.ping, RedisCommand("PING")))
        self.steps = steps.map(\.0)
        commands = steps.map(\.1)
        self.url = url
        self.server = server
    }

    /// A cluster is not reached by way of a Unix socket.
    private var place: String { if case .unix = url.transport { "<host>:<port>" } else { url.description } }

    private var scheme: String { url.usesTLS ? "rediss" : "redis" }

    mutating func receive(_ reply: RedisValue) -> Progress {
        let step = steps[answered]
        answered += 1
        if case .error(let error) = reply {
            switch step {
            // The answers to these may be errors: they are courtesies, and an access list may be without them.
            case .name, .hello: break
            case .auth, .select, .role, .ping: return progress(after: error)
            }
        }
        switch step {
        case .hello where Self.mode(in: reply) == "cluster":
            return .refused("it is a node of a cluster: name it as \(scheme)+cluster://\(place)")
        case .hello where Self.mode(in: reply) == "sentinel":
            return .refused("it is a sentinel: name it as \(scheme)+sentinel://\(place)/<name of the primary>")
        case .role where reply.array?.first?.string != "master":
            let role = reply.array?.first?.string ?? "unknown"
            return .notReady("\(server?.description ?? "it") is not the primary: its role is \(role)")
        default: return answered == commands.count ? .finished : .more
        }
    }

    private func progress(after error: RedisServerError) -> Progress {
        switch error.code {
        case "LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN": .notReady(error.message)
        case "NOAUTH" where url.isSentinel:
            .refused("the sentinel wants a password of its own: \(Self.sentinelAdvice)")
        case "WRONGPASS" where url.isSentinel:
            .refused("the user or password for the sentinel is wrong (\(error.message)): \(Self.sentinelAdvice)")
        case "ERR" where url.isSentinel && url.password != nil:
            .refused(
                "the sentinel takes no password (\(error.message)): leave sentinel-password and --redis-sentinel-password-file out"
            )
        case "NOAUTH": .refused("it wants a password: put it into the URL, as in redis://:password@host:6379")
        case "WRONGPASS": .refused("the user or password is wrong (\(error.message))")
        default: .refused(error.message)
        }
    }

    private static let sentinelAdvice =
        "put it into the URL as ?sentinel-password=…, with sentinel-user=… where there is one, or into a file for "
        + "--redis-sentinel-password-file"

    /// What [HELLO](https://redis.io/docs/latest/commands/hello/) says besides: names and values by turns.
    private static func mode(in reply: RedisValue) -> String? {
        guard let words = reply.array, let index = words.firstIndex(of: .bytes(Array("mode".utf8))) else { return nil }
        return index + 1 < words.count ? words[index + 1].string : nil
    }
}
