import Foundation
import PackagePlugin

/// Tells the program which commit it was built from.
///
/// The manifest cannot: SwiftPM remembers what it evaluated, commits included. This writes one file of Swift, again only when
/// the log of HEAD has grown, so that a build without a new commit costs nothing. Without a checkout, as in an image, the
/// environment variable `TODOMATE_REVISION` counts, or there is no commit.
@main
struct SourceRevision: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "SourceRevision.swift")
        let repository = Self.repository(of: context.package.directoryURL)
        let headLog = repository?.appending(path: "logs/HEAD")
        let script = """
            revision=${1:-$([ -z "$2" ] || git --git-dir="$2" rev-parse --short=7 HEAD 2>/dev/null)}
            printf 'extension BuildFacts { static var revision: String { "%s" } }\\n' "$revision" >"$3"
            """
        let given = ProcessInfo.processInfo.environment["TODOMATE_REVISION"] ?? ""
        return [
            .buildCommand(
                displayName: "Finding the commit",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", script, "sh", given, repository?.path ?? "", output.path],
                inputFiles: [headLog].compactMap(\.self).filter { FileManager.default.fileExists(atPath: $0.path) },
                outputFiles: [output]
            )
        ]
    }

    /// The folder `.git`, or the one that a file in its place leads to, as in a worktree; nil outside of a checkout.
    private static func repository(of package: URL) -> URL? {
        let entry = package.appending(path: ".git")
        guard FileManager.default.fileExists(atPath: entry.path) else { return nil }
        guard let link = try? String(contentsOf: entry, encoding: .utf8) else { return entry }
        let path = link.trimmingPrefix("gitdir: ").trimmingCharacters(in: .newlines)
        return path.hasPrefix("/") ? URL(filePath: path) : package.appending(path: path)
    }
}
