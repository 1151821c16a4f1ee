import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("The access list of the deployment")
@LoopActor
struct AccessListTests {
    private nonisolated static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A copy of what `scripts/secrets` needs, with the secrets that it makes.
    private final class Deployment: Sendable {
        let folder: URL
        var path: String { folder.path }

        init() async throws {
            folder = FileManager.default.temporaryDirectory.appending(
                path: "todomate-deploy-\(UUID().uuidString.prefix(8))"
            )
            for part in ["scripts", "deploy/redis"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: part),
                    withIntermediateDirectories: true
                )
            }
            for file in ["scripts/secrets", "deploy/redis/users.acl", "deploy/redis/sentinel-users.acl"] {
                try FileManager.default.copyItem(at: root.appending(path: file), to: folder.appending(path: file))
            }
            let outcome = try await secrets()
            try #require(outcome.ending == .exit(0), "\(outcome.errors)")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        @discardableResult
        func secrets(_ words: String...) async throws -> Program.Outcome {
            try await Program.run("bash", ["\(path)/scripts/secrets"] + words)
        }

        func secret(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: "deploy/secrets/\(name)"), encoding: .utf8)
        }

        func file(_ name: String) -> String { "\(path)/deploy/secrets/\(name)" }
    }

    /// Runs `body` with a Redis that has the users of the deployment's access list; a cluster has its own default user besides.
    private func withGuardedRedis(
        on kind: RedisKind,
        _ body: @LoopActor (any TestRedis, Deployment) async throws -> Void
    ) async throws {
        guard kind == .cluster else { return try await withGuardedRedis { try await body($0, $1) } }
        let deployment = try await Deployment()
        try await withRedis(on: kind) { server in
            for line in try deployment.secret("redis_acl").split(separator: "\n") where !line.hasPrefix("user default")
            {
                let words = line.split(separator: " ").dropFirst().map(String.init)
                #expect(try await server.cli(["ACL", "SETUSER", words[0], "reset"] + words.dropFirst()) == "OK")
            }
            try await server.cli("ACL", "LOG", "RESET")
            try await body(server, deployment)
        }
    }

    /// Runs `body` with a redis-server that has the deployment's access list.
    private func withGuardedRedis(_ body: @LoopActor (RedisServer, Deployment) async throws -> Void) async throws {
        let deployment = try await Deployment()
        try await withRedis("--aclfile", deployment.file("redis_acl")) { try await body($0, deployment) }
    }

    /// What redis-cli prints for a user.
    private func cli(
        _ server: any TestRedis,
        as user: String,
        _ password: String,
        _ words: [String]
    ) async throws -> String {
        // The default user of a cluster here may ask all of its nodes.
        if server.isCluster { return try await server.cli(words) }
        let arguments = ["-s", "\(server.url)", "--user", user] + words
        return try await Program.run("redis-cli", arguments, environment: ["REDISCLI_AUTH": password]).output
            .trimmingCharacters(in: .newlines)
    }

    @Test("is made once, for its owner alone, and again for nobody")
    func secrets() async throws {
        let deployment = try await Deployment()
        let passwords = ["operator", "replication", "sentinel", "worker"].map { "redis_\($0)_password" }
        let names = ["redis_acl", "redis_sentinel_acl"] + passwords + ["secret"]
        let before = try names.map { try deployment.secret($0) }
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: deployment.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        for password in before.dropFirst(2) {
            #expect(password.wholeMatch(of: /[0-9a-f]{64}/) != nil)
            #expect(!before[0].contains(password) && !before[1].contains(password), "Redis's files have hashes alone")
        }
        #expect(!(before[0] + before[1]).contains(" on @"), "every password is filled in")
        #expect(Set(before).count == names.count)
        try await deployment.secrets()
        #expect(try names.map { try deployment.secret($0) } == before)
        try Data("user new on @WORKER@ +ping\n# @OPERATOR@\n".utf8)
            .write(to: deployment.folder.appending(path: "deploy/redis/users.acl"))
        try await deployment.secrets()
        let renewed = try deployment.secret("redis_acl")
        #expect(renewed.hasPrefix("user new on #") && renewed.hasSuffix(" +ping\n"), "the list of a new version")
        try FileManager.default.removeItem(at: deployment.folder.appending(path: "deploy/redis/users.acl"))
        try FileManager.default.copyItem(
            at: Self.root.appending(path: "deploy/redis/users.acl"),
            to: deployment.folder.appending(path: "deploy/redis/users.acl")
        )
        try await deployment.secrets()
        for (words, code) in [(["rotate"], 64), (["rotate", "all"], 64), (["finish", "redis"], 75)] {
            let outcome = try await Program.run("bash", ["\(deployment.path)/scripts/secrets"] + words)
            #expect(outcome.ending == .exit(Int32(code)) && !outcome.errors.isEmpty)
        }
        #expect(try names.map { try deployment.secret($0) } == before)
    }

    @Test("lets the workers and the command do all that they do", arguments: RedisKind.allCases)
    func sufficient(_ kind: RedisKind) async throws {
        try await withGuardedRedis(on: kind) { server, deployment in
            let environment = [
                "TODOMATE_REDIS": server.isCluster
                    ? server.address.replacing("://", with: "://todomate-worker@")
                    : "\(server.address)?user=todomate-worker",
                "TODOMATE_REDIS_PASSWORD_FILE": deployment.file("redis_worker_password"),
                "TODOMATE_SECRET_FILE": deployment.file("secret"),
            ]
            let port = try freePort()
            let worker = try RunningProgram(
                "todomate",
                ["worker", "--observe", "alice", "--listen", "127.0.0.1:\(port)"],
                environment: environment
            )
            try await eventually("it is ready") { worker.errors.contains("message=observing") }
            let lines = """
                # What goes on for ever is looked at until the word has come, the longer the busier the machine is.
                within() {
                    word=$1 && shift
                    for seconds in 2 8 32; do
                        if timeout $seconds "$@" | grep "$word"; then return; fi
                    done
                    return 1
                }
                printf 'long-enough\\n' | todomate user add alice
                printf 'long-enough\\n' | todomate user passwd alice
                todomate user list | grep alice
                todomate add alice milk --date 2026-11-20 --id t1
                todomate add alice bread --date 2026-11-20 --id t2
                todomate list alice --all && todomate list alice --month 2026-11
                todomate edit alice t1 --content more && todomate start alice t1 && todomate done alice t1
                todomate reopen alice t1 && todomate move alice t1 --after t2 && todomate remove alice t1
                url=http://127.0.0.1:\(port)/v1
                curl -fsS $url/session -H 'Content-Type: application/json' -d '{"user":"alice","password":"long-enough"}'
                test $(curl -sS $url/session -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' \
                    -d '{"user":"alice","password":"wrong-enough"}') = 401
                within snapshot curl -sSN -H "Authorization: Bearer $(todomate token alice)" $url/users/alice/changes
                curl -fsS http://127.0.0.1:\(port)/readyz
                todomate add alice cheese --id t3
                todomate follow bob alice && todomate accept alice bob && todomate react bob alice t2 🎉
                todomate following bob && todomate followers alice && todomate profile alice --audience public
                todomate feed bob | grep cheese && todomate badges bob && todomate badges alice
                printf 'long-enough\\n' | todomate user add bob
                bob="Authorization: Bearer $(todomate token bob)"
                within badges curl -sSN -H "$bob" "$url/changes?users=alice,bob&zone=UTC"
                for part in following followers feed badges profile; do curl -fsS -H "$bob" $url/users/bob/$part; done
                curl -fsS -H "$bob" -X DELETE $url/users/alice/todos/t2/reactions/bob
                within cheese todomate watch --as bob
                todomate block alice bob && todomate unblock alice bob && todomate unfollow bob alice
                todomate export alice --with-profiles | todomate import -
                todomate token alice --name script && todomate session list alice | grep script
                todomate session end alice --all && todomate user events alice | grep refused
                session=$(curl -fsS $url/session -H 'Content-Type: application/json' \
                    -d '{"user":"alice","password":"long-enough"}' | cut -d'"' -f8)
                alice="Authorization: Bearer $session"
                for part in sessions events factor; do curl -fsS -H "$alice" $url/users/alice/$part; done
                curl -fsS -H "$alice" $url/users/alice/tokens -H 'Content-Type: application/json' \
                    -d '{"name":"script","scope":"read","days":1}'
                curl -fsS -H "$alice" -X DELETE $url/users/alice/sessions
                curl -fsS -H "$alice" $url/users/alice/password -H 'Content-Type: application/json' \
                    -d '{"current":"long-enough","password":"longer than that"}'
                todomate user factor alice && todomate user factor alice --off
                carol=$(todomate session list bob --json | cut -d'"' -f4) && todomate session end bob $carol
                curl -fsS -X DELETE $url/session
                link=$(todomate invite bob --uses 2) && todomate invite bob --label spare
                json='Content-Type: application/json' code=${link#*#join=}
                curl -fsS $url/invitations/look -H "$json" -d "{\\\"invitation\\\":\\\"$code\\\"}"
                curl -fsS $url/accounts -H "$json" \
                    -d "{\\\"user\\\":\\\"nina\\\",\\\"password\\\":\\\"long-enough\\\",\\\"invitation\\\":\\\"$code\\\",\\\"follow\\\":true}"
                test $(curl -sS $url/accounts -o /dev/null -w '%{http_code}' -H "$json" \
                    -d "{\\\"user\\\":\\\"bob\\\",\\\"password\\\":\\\"long-enough\\\",\\\"invitation\\\":\\\"$code\\\"}") = 409
                spare=$(todomate invite list bob --json | grep spare | cut -d'"' -f4) && todomate invite end bob $spare
                link=$(todomate user reset nina) && secret=${link##*.}
                curl -fsS $url/password-reset -H "$json" \
                    -d "{\\\"user\\\":\\\"nina\\\",\\\"secret\\\":\\\"$secret\\\",\\\"password\\\":\\\"longer-still\\\"}"
                todomate user remove alice && todomate user remove --purge alice
                """
            let path = ["PATH": Program.builtPrograms.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]
            let script = try await Program.run("sh", ["-ec", lines], environment: environment.merging(path) { $1 })
            #expect(script.ending == .exit(0), "\(script.output)\n\(script.errors)")
            try await eventually("the worker heard it all") { worker.output.contains("removed") }
            // A connection that breaks, and a log that is read.
            let operatorPassword = try deployment.secret("redis_operator_password")
            _ = try await cli(server, as: "operator", operatorPassword, ["CLIENT", "KILL", "TYPE", "pubsub"])
            // She was deleted meanwhile: the first changes of the new history may be told as what is there to begin with.
            try await eventually("it goes on") {
                _ = try await Program.run("todomate", ["add", "alice", "later"], environment: environment)
                return worker.output.contains("later")
            }
            let ending = await worker.stop()
            #expect(ending == .exit(0))
            let refused = try await cli(server, as: "operator", operatorPassword, ["ACL", "LOG"])
            #expect(refused == "", "a command that deploy/redis/users.acl has to allow: \(refused)")
            // All but the settings, among which are passwords.
            let doctor = try await Program.run("todomate", ["doctor", "--repair"], environment: environment)
            let askedInVain = try await cli(server, as: "operator", operatorPassword, ["ACL", "LOG"])
            let refusals = askedInVain.matches(of: /object\n(\S+)/).map { String($0.1) }
            #expect(
                refusals == Array(repeating: "config|get", count: kind == .one ? 1 : 3),
                "\(doctor.output)\n\(askedInVain)"
            )
            #expect(doctor.output.contains("may do all that is needed"), "\(doctor.output)")
        }
    }

    @Test("leaves Redis itself the right to read back what it wrote")
    func reload() async throws {
        let deployment = try await Deployment()
        let options = ["--aclfile", deployment.file("redis_acl"), "--appendonly", "yes", "--appendfsync", "always"]
        let server = try RedisServer(options)
        do {
            try await server.start()
            let environment = [
                "TODOMATE_REDIS": "\(server.address)?user=todomate-worker",
                "TODOMATE_REDIS_PASSWORD_FILE": deployment.file("redis_worker_password"),
            ]
            for number in 1...3 {
                _ = try await Program.run("todomate", ["add", "alice", "number \(number)"], environment: environment)
            }
            let before = try await Program.run(
                "todomate",
                ["list", "alice", "--all", "--json"],
                environment: environment
            )
            #expect(before.output.split(separator: "\n").count == 3)
            await server.crash()
            try await server.start()
            let after = try await Program.run(
                "todomate",
                ["list", "alice", "--all", "--json"],
                environment: environment
            )
            #expect(after.output == before.output)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private nonisolated static let own = "todomate:{alice}"

    private nonisolated static let refused: [(user: String, words: String)] =
        [
            "GET secret", "SET secret x", "GET other:{alice}:todos", "HSET other x y",
            "PUBLISH other x", "SUBSCRIBE other", "PSUBSCRIBE *", "FCALL todomate_latest 1 other", "EVAL return 0",
            "KEYS *",
            "FLUSHALL", "FLUSHDB", "CONFIG GET dir", "CONFIG SET dir /tmp", "ACL LIST",
            "ACL SETUSER todomate-worker +@all",
            "FUNCTION FLUSH", "FUNCTION DELETE todomate", "FUNCTION DUMP", "FUNCTION LIST", "SHUTDOWN", "SAVE",

            "MONITOR", "CLIENT LIST", "CLIENT KILL TYPE normal", "SLAVEOF no one", "MIGRATE h 1 k 0 1",
            "GETDEL \(own)",
            "RENAME \(own):todos \(own):x", "DUMP \(own):todos", "SWAPDB 0 1", "MULTI", "WAIT 0 0", "MODULE LIST",
        ].map { ("todomate-worker", $0) }
        + [
            "GET secret", "SET secret x", "PUBLISH other x", "SUBSCRIBE other", "PSUBSCRIBE *", "FLUSHALL", "FLUSHDB",
            "KEYS *",
            "CONFIG SET dir /tmp", "ACL SETUSER operator allkeys", "SHUTDOWN", "MONITOR",
            "MODULE LIST",
            "REPLICAOF no one", "SWAPDB 0 1", "MIGRATE h 1 k 0 1", "RESTORE \(own) 0 x",
            "EVAL return(redis.call('GET','secret')) 0",
        ].map { ("operator", $0) }
        + ["GET \(own)", "SET \(own) x", "FCALL todomate_version 0", "INFO", "SUBSCRIBE \(own):changes"].map {
            ("replication", $0)
        }
        + ["GET \(own)", "SET \(own) x", "FCALL todomate_version 0", "FLUSHALL", "CONFIG SET dir /tmp", "KEYS *"].map {
            ("sentinel", $0)
        }

    @Test("refuses everything else, whoever asks")
    func necessary() async throws {
        try await withGuardedRedis { server, deployment in
            let passwords = [
                "todomate-worker": try deployment.secret("redis_worker_password"),
                "operator": try deployment.secret("redis_operator_password"),
                "replication": try deployment.secret("redis_replication_password"),
                "sentinel": try deployment.secret("redis_sentinel_password"),
            ]
            for (user, line) in Self.refused {
                let answer = try await cli(
                    server,
                    as: user,
                    passwords[user] ?? "",
                    line.split(separator: " ").map(String.init)
                )
                #expect(
                    ["NOPERM", "permission", "can't access"].contains { answer.contains($0) },
                    "\(user) \(line): \(answer)"
                )
            }
            for (user, password) in [("todomate-worker", "wrong"), ("operator", ""), ("default", ""), ("nobody", "x")] {
                let answer = try await cli(server, as: user, password, ["PING"])
                #expect(answer.contains("NOAUTH") || answer.contains("WRONGPASS"), "\(user): \(answer)")
            }
            let silent = try await server.cli("PING")
            #expect(silent.contains("NOAUTH"))
        }
    }

    @Test("opens no more of a node of a cluster")
    func necessaryInCluster() async throws {
        try await withGuardedRedis(on: .cluster) { server, deployment in
            guard case .cluster(let nodes) = server.url.transport else { return }
            let password = try deployment.secret("redis_worker_password")
            let ofClusters = [
                "SPUBLISH other x", "SSUBSCRIBE other", "CLUSTER FAILOVER", "CLUSTER RESET", "CLUSTER MYID",
            ]
            for line in Self.refused.filter({ $0.user == "todomate-worker" }).map(\.words) + ofClusters {
                let words = line.split(separator: " ").map(String.init)
                let place = ["-h", nodes[0].host, "-p", String(nodes[0].port), "--user", "todomate-worker"]
                let answer = try await Program.run(
                    "redis-cli",
                    place + words,
                    environment: ["REDISCLI_AUTH": password]
                ).output
                #expect(
                    ["NOPERM", "permission", "can't access"].contains { answer.contains($0) },
                    "\(line): \(answer)"
                )
            }
        }
    }

    @Test("lets operators do what the article on running many workers says, as it is printed there")
    func article() async throws {
        let path = "Sources/TodoMate/TodoMate.docc/RunningManyWorkers.md"
        let article = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let command = "docker compose exec redis operator "
        let lines = article.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
            .filter { $0.hasPrefix(command) }.map { $0.dropFirst(command.count) }
        #expect(lines.count > 5)
        try await withGuardedRedis { server, deployment in
            let environment = [
                "TODOMATE_REDIS": "\(server.address)?user=todomate-worker",
                "TODOMATE_REDIS_PASSWORD_FILE": deployment.file("redis_worker_password"),
            ]
            _ = try await Program.run("todomate", ["list", "alice"], environment: environment)
            for line in lines {
                // A watch never ends.
                let isWatch = line.contains("SUBSCRIBE")
                let call = "\(isWatch ? "timeout 1 " : "")redis-cli -s \(server.url) --user operator \(line)"
                let password = try deployment.secret("redis_operator_password")
                let outcome = try await Program.run("sh", ["-c", call], environment: ["REDISCLI_AUTH": password])
                #expect(outcome.ending == .exit(isWatch ? 124 : 0), "\(line): \(outcome.errors)")
                #expect(
                    !["NOPERM", "NOAUTH", "ERR ", "TODOMATE_", "permission"].contains { outcome.output.contains($0) },
                    "\(line): \(outcome.output)"
                )
            }
        }
    }

    @Test("changes its passwords while both of them are good for a time")
    func rotation() async throws {
        try await withGuardedRedis { server, deployment in
            func current() throws -> (String, String) {
                (try deployment.secret("redis_worker_password"), try deployment.secret("redis_operator_password"))
            }
            func isGood(_ user: String, _ password: String) async throws -> Bool {
                try await cli(server, as: user, password, ["PING"]) == "PONG"
            }
            let before = try current()
            try await deployment.secrets("rotate", "redis")
            let again = try await deployment.secrets("rotate", "redis")
            #expect(again.ending == .exit(75), "not before the first is over")
            let (worker, stillOperator) = try current()
            #expect(worker != before.0 && stillOperator == before.1)
            #expect(try await cli(server, as: "operator", stillOperator, ["ACL", "LOAD"]) == "OK")
            for password in [before.0, worker] {
                let isGood = try await isGood("todomate-worker", password)
                #expect(isGood)
            }
            try await deployment.secrets("finish", "redis")
            let after = try current()
            #expect(after.0 == worker && after.1 != before.1)
            #expect(try await cli(server, as: "operator", after.1, ["ACL", "LOAD"]) == "OK")
            for (user, password, expected) in [
                ("todomate-worker", after.0, true), ("operator", after.1, true), ("todomate-worker", before.0, false),
                ("operator", before.1, false),
            ] {
                let isGood = try await isGood(user, password)
                #expect(isGood == expected, "\(user)")
            }
        }
    }

    @Test("changes the secret that signs by a line above the one that did")
    func secretRotation() async throws {
        let deployment = try await Deployment()
        let before = try deployment.secret("secret")
        try await deployment.secrets("rotate", "secret")
        let lines = try deployment.secret("secret").split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        #expect(lines.count == 2 && lines[0] != before && lines[1] == before)
        try await deployment.secrets("finish", "secret")
        #expect(try deployment.secret("secret") == lines[0])
    }

    @Test("stands in a configuration that Redis takes, and that keeps every write")
    func configuration() async throws {
        let deployment = try await Deployment()
        let socket = deployment.path + "/redis.sock"
        let places = ["--dir", deployment.path, "--aclfile", deployment.file("redis_acl"), "--port", "0"]
        let redis = try RunningProgram(
            "redis-server",
            [Self.root.appending(path: "deploy/redis/redis.conf").path] + places + ["--unixsocket", socket]
        )
        let password = try deployment.secret("redis_operator_password")
        func ask(_ words: String...) async throws -> String {
            let arguments = ["-s", socket, "--user", "operator"] + words
            return try await Program.run("redis-cli", arguments, environment: ["REDISCLI_AUTH": password]).output
        }
        do {
            try await eventually("it answers") { try await ask("PING") == "PONG\n" }
            for (name, value) in [
                ("appendonly", "yes"), ("appendfsync", "everysec"), ("maxmemory-policy", "noeviction"),
                ("maxmemory", String(384 << 20)), ("protected-mode", "yes"),
            ] {
                let answer = try await ask("CONFIG", "GET", name)
                #expect(answer == "\(name)\n\(value)\n")
            }
        } catch {
            await redis.stop()
            throw error
        }
        await redis.stop()
    }
}
