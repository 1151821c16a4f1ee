import EventLoop
import Foundation
import TestServers
import Testing

/// `scripts/package` with a small program that starts the one which the tests were built with; `scripts/package-test` tries what
/// it makes of a real one, in bare containers.
@Suite("scripts/package")
struct PackageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let script = "\(root)/scripts/package"
    private static let version = "1.0.0~20231114120000."
    private static let surroundings = [
        "SOURCE_DATE_EPOCH": "1699963200", "DEBFULLNAME": "Somebody & Co. / Packages",
        "DEBEMAIL": "packages@example.org",
    ]

    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "todomate-package-\(UUID().uuidString.prefix(8))"
    ).path

    private func pack(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.run(Self.script, arguments, environment: Self.surroundings)
    }

    private func output(_ program: String, _ arguments: [String]) async throws -> String {
        let outcome = try await Program.run(program, arguments)
        #expect(outcome.ending == .exit(0), "\(program) \(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// A program that needs two libraries, of which one needs more, and becomes todomate.
    private func standIn() async throws -> String {
        let source = """
            #include <unistd.h>
            int main(int count, char **words) { return execv("\(Program.builtPrograms.path)/todomate", words); }
            """
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try source.write(toFile: "\(folder)/main.c", atomically: true, encoding: .utf8)
        let path = "\(folder)/todomate"
        let linking = [
            "-Wl,--no-as-needed", "-lcjose", "-lz", "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../lib/todomate",
        ]
        _ = try await output("clang", ["-o", path, "\(folder)/main.c"] + linking)
        return path
    }

    @Test("packs the command with all that belongs to it, and to nobody else, into the same bytes each time")
    func contents() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = try await standIn()
        let packages = "\(folder)/packages"
        var sums: [String] = []
        for _ in 1...2 {
            let outcome = try await pack(["--program", program, packages])
            try #require(outcome.ending == .exit(0), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("In \(packages), for glibc 2."))
            sums.append(try String(contentsOfFile: "\(packages)/SHA256SUMS", encoding: .utf8))
            #expect(sums.last.map { $0.split(whereSeparator: \.isWhitespace).count } == 4)
        }
        #expect(sums[0] == sums[1])
        let files = try FileManager.default.contentsOfDirectory(atPath: packages).sorted()
        #expect(files.count == 3 && files[1].hasPrefix("todomate-\(Self.version)") && files[1].hasSuffix(".tar.gz"))
        try await checkDeb("\(packages)/\(try #require(files.last))")
        try await checkArchive("\(packages)/\(files[1])")
    }

    private func checkDeb(_ path: String) async throws {
        // Modes, owners, sizes, dates, times, names.
        let rows = try await output("dpkg-deb", ["-c", path]).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.allSatisfy { $0[1] == "root/root" && $0[3] == "2023-11-14" }, "\(rows)")
        let programs = [
            "./usr/bin/todomate", "./usr/share/todomate/deploy/redis/complete-move",
            "./usr/share/todomate/deploy/redis/repair-log",
            "./usr/share/todomate/scripts/secrets",
        ]
        let executable = rows.filter { $0[0] == "-rwxr-xr-x" }.map { String($0[5]) }
        #expect(executable == programs)
        #expect(Set(rows.map { String($0[0]) }) == ["drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"])
        let names = rows.map { String($0[5]) }
        for name in [
            "etc/todomate/worker.env", "usr/lib/systemd/system/todomate@.service", "usr/share/man/man1/todomate.1.gz",
            "usr/share/bash-completion/completions/todomate", "usr/share/zsh/vendor-completions/_todomate",
            "usr/share/fish/vendor_completions.d/todomate.fish", "usr/share/doc/todomate/copyright",
            "usr/share/doc/todomate/changelog.gz", "usr/share/doc/todomate/changelog.Debian.gz",
            "usr/share/doc/todomate/README.Debian", "usr/share/doc/todomate/README.md",
        ] {
            #expect(names.contains("./" + name), "\(name) is missing")
        }
        #expect(!names.contains { $0.hasPrefix("./usr/lib/todomate") || $0.contains("deploy/secrets") }, "\(names)")

        let fields = try await output("dpkg-deb", ["-f", path])
        #expect(fields.hasPrefix("Package: todomate\nVersion: \(Self.version)"))
        #expect(fields.contains("\nMaintainer: Somebody & Co. / Packages <packages@example.org>\n"))
        #expect(
            fields.contains(
                /\nDepends: libc6 \(>= 2\.\d+\), libcjose0 \(.*\), zlib1g \(.*\), ca-certificates, tzdata\n/
            )
        )
        #expect(!fields.contains("@VERSION@") && !fields.contains("hiredis"))

        _ = try await output("dpkg-deb", ["-R", path, "\(folder)/deb"])
        let unpacked = "\(folder)/deb"
        let conffiles = try String(contentsOfFile: "\(unpacked)/DEBIAN/conffiles", encoding: .utf8)
        #expect(conffiles == "/etc/todomate/worker.env\n")
        let unit = try String(contentsOfFile: "\(unpacked)/usr/lib/systemd/system/todomate@.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=/usr/bin/todomate worker ") && !unit.contains("/usr/local"))
        for name in ["postinst", "prerm", "postrm"] {
            _ = try await output("sh", ["-n", "\(unpacked)/DEBIAN/\(name)"])
        }
        let headers = try await output("objdump", ["-p", "\(unpacked)/usr/bin/todomate"])
        #expect(headers.contains("libcjose.so.0") && !headers.contains("PATH"), "it takes the system's libraries alone")
        _ = try await output("bash", ["-c", "cd '\(unpacked)' && md5sum --quiet -c DEBIAN/md5sums"])
    }

    private func checkArchive(_ path: String) async throws {
        let rows = try await output("tar", ["-tvzf", path]).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.allSatisfy { $0[1] == "0/0" && $0[3] == "2023-11-14" }, "\(rows)")
        _ = try await output("tar", ["-xzf", path, "-C", folder])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let unpacked = "\(folder)/" + (try #require(names.first { $0.hasPrefix("todomate-") }))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: unpacked).sorted() == ["README", "bin", "lib", "share"]
        )
        let libraries = try FileManager.default.contentsOfDirectory(atPath: "\(unpacked)/lib/todomate")
        // That of the one that needs another one is here too; the C library is not.
        #expect(Set(libraries).isSuperset(of: ["libcjose.so.0", "libcrypto.so.3", "libjansson.so.4", "libz.so.1"]))
        #expect(!libraries.contains { $0.hasPrefix("libc.") || $0.hasPrefix("libm.") || $0.hasPrefix("ld-") })
        let licenses = try FileManager.default.contentsOfDirectory(atPath: "\(unpacked)/share/doc/todomate/licenses")
        #expect(licenses.contains("libcjose0") && licenses.contains("zlib1g"))
        let readme = try String(contentsOfFile: "\(unpacked)/README", encoding: .utf8)
        #expect(readme.contains("on Linux with glibc 2.") && !readme.contains(/@[A-Z]+@/))
        let found = try await output("ldd", ["\(unpacked)/bin/todomate"])
        #expect(found.contains("libjansson.so.4 => \(unpacked)/bin/../lib/todomate/libjansson.so.4"), "\(found)")
        #expect(try await output("\(unpacked)/bin/todomate", ["--version"]).hasPrefix("todomate 1.0.0"))
    }

    private static let refused: [(words: [String], status: Int32, reason: String)] = [
        (["--bogus"], 64, "'--bogus' is not known: see scripts/package --help"),
        (["one", "two"], 64, "name one folder, not 'one' and 'two'"),
        (["--program"], 66, "--program needs a program, not ''"),
        (["--program", "/nowhere"], 66, "--program needs a program, not '/nowhere'"),
        (["--program", "ROOT/scripts/package", "PACKAGES"], 65, "scripts/package is not a program with libraries"),
        (["--program", "/bin/ls", "PACKAGES"], 65, "/bin/ls looks for no libraries in ../lib/todomate"),
        (["--program", "BUILT/todomate", "PACKAGES"], 65, "which is in no package"),
        (["--program", "/bin/ls", "OTHER"], 73, "has something else in it"),
        (["--program", "/bin/ls", "OTHER/mine"], 73, "has something else in it"),
    ]

    @Test("refuses what it cannot pack, before it touches anything", arguments: refused)
    func refusals(_ arguments: [String], _ status: Int32, _ reason: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: "\(folder)/other", withIntermediateDirectories: true)
        try "mine".write(toFile: "\(folder)/other/mine", atomically: true, encoding: .utf8)
        let outcome = try await pack(
            arguments.map {
                $0.replacing("PACKAGES", with: "\(folder)/packages").replacing("OTHER", with: "\(folder)/other")
                    .replacing("ROOT", with: Self.root).replacing("BUILT", with: Program.builtPrograms.path)
            }
        )
        #expect(outcome.ending == .exit(status) && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("scripts/package: ") && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["other"])
        #expect(try String(contentsOfFile: "\(folder)/other/mine", encoding: .utf8) == "mine")
    }

    @Test("is tried by nothing where there is no engine or no package, which scripts/package-test says")
    func noEngine() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = "\(Self.root)/scripts/package-test"
        let none = try await Program.run(script, ["--packages", "\(folder)/packages"])
        #expect(none.ending == .exit(66) && none.errors.contains("scripts/package makes them"), "\(none.errors)")
        #expect(try await Program.run(script, ["--bogus"]).ending == .exit(64))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try await output("bash", ["-c", "cd '\(folder)' && echo >some && sha256sum some >SHA256SUMS"])
        let away = ["DOCKER_HOST": "unix:///nowhere.sock"]
        let outcome = try await Program.run(script, ["--packages", folder], environment: away)
        #expect(outcome.ending == .exit(77) && outcome.errors.contains("nothing was tried"), "\(outcome.errors)")
    }
}
