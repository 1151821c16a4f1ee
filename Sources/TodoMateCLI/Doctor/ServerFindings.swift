/// Findings about a Redis server from its own facts and settings: the doctor's knowledge of servers, without I/O.
enum ServerFindings {
    /// All findings, good ones included.
    ///
    /// - Parameter isInCluster: whether it was named as a node of a cluster.
    static func findings(_ facts: ServerFacts, isInCluster: Bool = false) -> [Finding] {
        [
            version(facts, isInCluster), persistence(facts), tornFile(facts), lastWrites(facts), eviction(facts),
            memory(facts),
            outputBuffers(facts),
            clients(facts), replication(facts, isInCluster), access(facts),
        ].compactMap { $0 }
    }

    private static func version(_ facts: ServerFacts, _ isInCluster: Bool) -> Finding {
        let topic = "version"
        guard isInCluster || facts.info["redis_mode"] != "cluster" && facts.info["cluster_enabled"] != "1" else {
            return .error(
                topic,
                "this is a node of a Redis Cluster",
                "name it as redis+cluster://host:port with --redis"
            )
        }
        let valkey = facts.info["valkey_version"]
        let version = valkey ?? facts.info["redis_version"] ?? ""
        let name = valkey == nil ? "Redis" : "Valkey"
        let (major, oldest) = (Int(version.prefix { $0 != "." }) ?? 0, valkey == nil ? 7 : 8)
        guard major >= oldest else {
            return .error(
                topic,
                "this is \(name) \(version)",
                "TodoMate needs Redis 7.0 or Valkey 8, or newer: upgrade it"
            )
        }
        return .ok(topic, "\(name) \(version)")
    }

    private static func persistence(_ facts: ServerFacts) -> Finding? {
        let topic = "persistence"
        guard let isOn = facts.info["aof_enabled"] else { return nil }
        guard isOn != "1" else {
            return switch facts.config["appendfsync"] {
            case "always": .ok(topic, "an append-only file, written before each answer: no acknowledged write is lost")
            case "no":
                .warning(
                    topic,
                    "an append-only file that is written when the system decides: a power cut loses up to 30 s",
                    "CONFIG SET appendfsync everysec, and the same in redis.conf"
                )
            case "everysec": .ok(topic, "an append-only file, written every second: a crash loses two seconds at most")
            default: .ok(topic, "an append-only file")
            }
        }
        let advice = "CONFIG SET appendonly yes, and the same in redis.conf"
        guard let save = facts.config["save"] else {
            return .warning(
                topic,
                "there is no append-only file: a crash loses what came after the last snapshot",
                advice
            )
        }
        return save.isEmpty
            ? .error(topic, "nothing is kept: all todos are gone when Redis ends", advice)
            : .warning(topic, "snapshots only (save \(save)): a crash loses what came after the last one", advice)
    }

    /// See https://github.com/valkey-io/valkey/pull/4342: what is left of a torn transaction is carried out at a later start.
    private static func tornFile(_ facts: ServerFacts) -> Finding? {
        guard facts.info["aof_enabled"] == "1", facts.config["aof-load-truncated"] == "yes" else { return nil }
        return .note(
            "crashes",
            "a change that a crash of the machine left half-written may come back by half, two starts later",
            "BGREWRITEAOF after a crash; for good: aof-load-truncated no, and deploy/redis/repair-log before each start"
        )
    }

    private static func lastWrites(_ facts: ServerFacts) -> Finding? {
        let failed = [
            ("aof_last_write_status", "writing the append-only file"),
            ("aof_last_bgrewrite_status", "rewriting the append-only file"),
            ("rdb_last_bgsave_status", "writing a snapshot"),
        ].first { facts.info[$0.0] == "err" }
        return failed.map {
            .error("disk", "\($0.1) failed the last time", "check Redis's log, and the space on its disk (df -h)")
        }
    }

    private static func eviction(_ facts: ServerFacts) -> Finding? {
        let topic = "eviction"
        guard let policy = facts.info["maxmemory_policy"] ?? facts.config["maxmemory-policy"] else { return nil }
        guard policy.hasPrefix("allkeys") else {
            return .ok(topic, "\(policy): no todo is thrown away when memory is full")
        }
        let advice = "CONFIG SET maxmemory-policy noeviction, and the same in redis.conf"
        return facts.number("maxmemory") ?? 0 > 0
            ? .error(topic, "\(policy): todos are thrown away when memory is full", advice)
            : .warning(topic, "\(policy): todos would be thrown away if there were a maxmemory", advice)
    }

    private static func memory(_ facts: ServerFacts) -> Finding? {
        let topic = "memory"
        guard let used = facts.number("used_memory"), let limit = facts.number("maxmemory") else { return nil }
        let system = facts.number("total_system_memory") ?? 0
        let (most, name) = limit > 0 ? (limit, "maxmemory") : (system, "the machine's memory")
        guard most > 0 else { return .ok(topic, "\(megabytes(used)) used, without a limit") }
        let share = used * 100 / most
        let message = "\(megabytes(used)) used, \(share) % of \(name) (\(megabytes(most)))"
        switch (share, limit > 0) {
        case (90..., true), (80..., false):
            return .error(
                topic,
                message,
                "raise maxmemory, or give the machine more: writes are refused when it is full"
            )
        case (75..., true), (50..., false):
            return .warning(topic, message, "plan for more: Redis may need the double while it rewrites its file")
        default: return .ok(topic, message)
        }
    }

    private static func megabytes(_ bytes: Int) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : bytes >= 10 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }

    /// See "Output buffer limits" in the clients page of Redis: class, hard limit, soft limit, seconds.
    private static func outputBuffers(_ facts: ServerFacts) -> Finding? {
        let topic = "output buffers"
        guard let words = facts.config["client-output-buffer-limit"]?.split(separator: " ").map(String.init),
            let start = words.firstIndex(of: "pubsub"), words.count > start + 3,
            let hard = Int(words[start + 1]), let soft = Int(words[start + 2]), let seconds = Int(words[start + 3])
        else { return nil }
        let advice = "CONFIG SET client-output-buffer-limit 'pubsub 33554432 8388608 60', and the same in redis.conf"
        guard hard > 0 || soft > 0 && seconds > 0 else {
            return .warning(topic, "a worker that hangs makes Redis grow without limit", advice)
        }
        guard hard == 0 || hard >= 1 << 20 else {
            return .warning(topic, "a worker is cut off when \(megabytes(hard)) of messages wait for it", advice)
        }
        return .ok(topic, "a worker that hangs is cut off, and catches up later")
    }

    private static func clients(_ facts: ServerFacts) -> Finding? {
        guard let now = facts.number("connected_clients"),
            let most = facts.number("maxclients") ?? facts.config["maxclients"].flatMap({ Int($0) }), most > 0
        else { return nil }
        let message = "\(now) of \(most) connections in use"
        return now * 10 > most * 9
            ? .warning("connections", message, "CONFIG SET maxclients \(most * 2), and raise the limit of open files")
            : .ok("connections", message)
    }

    private static func replication(_ facts: ServerFacts, _ isInCluster: Bool) -> Finding? {
        let topic = "replication"
        guard facts.info["role"] != "slave" else {
            let primary = [facts.info["master_host"], facts.info["master_port"]].compactMap { $0 }.joined(
                separator: ":"
            )
            return .error(
                topic,
                "this is a replica, which refuses writes",
                "name its primary (\(primary)) with --redis"
            )
        }
        let replicas = facts.replicas
        let good = replicas.filter { $0["state"] == "online" && Int($0["lag"] ?? "") ?? .max <= 10 }
        let wanted = facts.config["min-replicas-to-write"].flatMap { Int($0) } ?? 0
        guard good.count >= wanted else {
            return .error(
                topic,
                "\(good.count) replicas keep up, \(wanted) must: Redis refuses writes",
                "repair the replicas, or lower min-replicas-to-write"
            )
        }
        if let bad = replicas.first(where: { !good.contains($0) }) {
            let name = "\(bad["ip"] ?? "?"):\(bad["port"] ?? "?")"
            return .warning(
                topic,
                "the replica \(name) lags behind",
                "check its log: if it took over now, writes were lost"
            )
        }
        guard !replicas.isEmpty || !isInCluster else {
            return .warning(
                topic,
                "no replica: a primary that fails takes its users' todos out of reach until it is back",
                "redis-cli --cluster add-node <new> <primary> --cluster-slave --cluster-master-id <its CLUSTER MYID>"
            )
        }
        return .ok(topic, replicas.isEmpty ? "a primary without replicas" : "a primary; \(good.count) replicas keep up")
    }

    private static func access(_ facts: ServerFacts) -> Finding? {
        guard let bind = facts.config["bind"], facts.config["requirepass"] == "",
            facts.config["protected-mode"] == "no", facts.info["tcp_port"] != "0"
        else { return nil }
        let isLocal = bind.split(separator: " ").allSatisfy { $0.hasPrefix("127.") || $0 == "::1" || $0 == "-::1" }
        return isLocal && !bind.isEmpty
            ? nil
            : .warning(
                "password",
                "anyone who reaches this Redis over the network may do everything unless its users have passwords",
                "set requirepass or an ACL file, or bind it to 127.0.0.1"
            )
    }
}
