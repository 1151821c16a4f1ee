import EventLoop
import Foundation
import TestServers
import Testing

/// What can be said of the deployment without an engine; `scripts/compose-test` runs it on one.
@Suite("The deployment's files")
struct DeploymentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private static func has(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    @Test("open nothing that should not be, and hold no secret")
    func compose() async throws {
        let check = "\(Self.root)/Tests/ComposeTests/check_compose.py"
        let outcome = try await Program.run("/usr/bin/python3", ["-B", check, Self.root])
        #expect(outcome.ending == .exit(0), "\(outcome.output)\(outcome.errors)")
    }

    @Test("name no secret that the check would not find", arguments: ["ports: [6379:6379]", "privileged: true"])
    func checker(_ line: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-check-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["deploy", "Sources", ".gitignore", ".dockerignore"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(name)",
                withDestinationPath: "\(Self.root)/\(name)"
            )
        }
        let compose = try String(contentsOfFile: "\(Self.root)/docker-compose.yml", encoding: .utf8)
        let changed = compose.replacing("\n  redis:\n", with: "\n  redis:\n    \(line)\n")
        #expect(changed != compose)
        try changed.write(toFile: "\(folder.path)/docker-compose.yml", atomically: true, encoding: .utf8)
        let check = "\(Self.root)/Tests/ComposeTests/check_compose.py"
        let outcome = try await Program.run("/usr/bin/python3", ["-B", check, folder.path])
        #expect(outcome.ending == .exit(1) && !outcome.output.isEmpty, "\(outcome.errors)")
    }

    @Test(
        "keep the nodes of a cluster as closed as the one Redis, at addresses and with data of their own",
        arguments: [
            ("  restart: unless-stopped\n", "  restart: unless-stopped\n  ports: [6379:6379]\n"),
            ("networks: {back: {ipv4_address: \"${TODOMATE_CLUSTER_NET:-10.87.251}.12\"}}", "networks: {front: {}}"),
            ("cluster-node, \"${TODOMATE_CLUSTER_NET:-10.87.251}.13\"", "cluster-node, 10.0.0.1"),
            ("redis-4-data:/data:nocopy", "redis-3-data:/data:nocopy"), ("    internal: true\n", ""),
        ]
    )
    func clusterChecker(_ part: String, _ worse: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-check-\(UUID().uuidString.prefix(8))"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["docker-compose.yml", "deploy", "Sources", ".gitignore", ".dockerignore"] {
            try FileManager.default.copyItem(atPath: "\(Self.root)/\(name)", toPath: "\(folder.path)/\(name)")
        }
        let file = "\(folder.path)/deploy/cluster.yml"
        let compose = try String(contentsOfFile: file, encoding: .utf8)
        let changed = compose.replacing(part, with: worse)
        #expect(changed != compose)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
        let check = "\(Self.root)/Tests/ComposeTests/check_compose.py"
        let outcome = try await Program.run("/usr/bin/python3", ["-B", check, folder.path])
        #expect(outcome.ending == .exit(1) && outcome.output.contains("deploy/cluster.yml"), "\(outcome)")
    }

    @Test("are not tried where there is no engine, which the script says")
    func noEngine() async throws {
        let script = "\(Self.root)/scripts/compose-test"
        let outcome = try await Program.run("bash", [script], environment: ["DOCKER_HOST": "unix:///nowhere.sock"])
        #expect(outcome.ending == .exit(77) && outcome.errors.contains("nothing was tried"), "\(outcome.errors)")
        let usage = try await Program.run("bash", [script, "--bogus"])
        #expect(usage.ending == .exit(64))
    }

    @Test(
        "start workers under systemd with little to lose",
        .enabled(if: has("systemd-analyze"), "systemd-analyze is not installed: the unit was not checked")
    )
    func unit() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-unit-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "todomate@1.service")
        let unit = try String(contentsOfFile: "\(Self.root)/deploy/systemd/todomate@.service", encoding: .utf8)
        let program = Program.builtPrograms.path + "/todomate"
        // It looks for the program, which is not installed here, and for the page of the manual.
        let here = unit.replacing("/usr/local/bin/todomate", with: program).replacing(" man:todomate(1)", with: "")
        try here.write(to: path, atomically: true, encoding: .utf8)
        let verdict = try await Program.run("systemd-analyze", ["verify", path.path])
        #expect(verdict.ending == .exit(0) && verdict.errors.isEmpty, "\(verdict.errors)")
        // 0 is nothing to attack, 10 is everything; times ten.
        let security = ["security", "--offline=true", "--threshold=15", path.path]
        let exposure = try await Program.run("systemd-analyze", security)
        #expect(exposure.ending == .exit(0), "\(exposure.output.suffix(200))\(exposure.errors)")
    }

    @Test(
        "have rules that Prometheus takes",
        .enabled(
            if: has("promtool"),
            "promtool is not installed (Debian's prometheus has it): the rules were not checked"
        )
    )
    func prometheus() async throws {
        let folder = "\(Self.root)/deploy/prometheus"
        for words in [["check", "config", "\(folder)/prometheus.yml"], ["check", "rules", "\(folder)/alerts.yml"]] {
            let outcome = try await Program.run("promtool", words)
            #expect(outcome.ending == .exit(0), "\(outcome.output)\(outcome.errors)")
        }
    }
}
