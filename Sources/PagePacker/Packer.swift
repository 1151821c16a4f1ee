import Foundation

/// esbuild, the program that makes a few files of many.
struct Packer {
    /// What it made: each file, and of those that the page begins with, what they need at once.
    struct Outcome: Decodable {
        struct Import: Decodable {
            let path: String
            let kind: String
        }
        struct File: Decodable {
            let entryPoint: String?
            let imports: [Import]
        }
        let outputs: [String: File]
    }

    let folder: URL
    let output: URL

    /// Packs what begins with these files.
    ///
    /// - Returns: the files that it made, by their paths in `output`.
    func pack(_ entries: [String], _ options: [String]) throws(PackingError) -> [String: Outcome.File] {
        let report = output.appending(path: "\(entries[0]).json")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments =
            ["esbuild"] + entries + [
                "--bundle", "--minify", "--charset=utf8", "--log-level=warning",
                // V8 compiles all functions beside the load, off the main thread, and not at the first click that calls them.
                "--banner:js=//# allFunctionsCalledOnLoad",
                // Of two words with the same key the last one would count.
                "--log-override:duplicate-object-key=error", "--outdir=\(output.path)",
                // Their names change with what is in them, so that browsers keep them for ever.
                "--entry-names=parts/[name]-[hash]", "--chunk-names=parts/[name]-[hash]", "--metafile=\(report.path)",
            ] + options
        do {
            try process.run()
        } catch {
            throw .packerMissing
        }
        process.waitUntilExit()
        guard process.terminationStatus != 127 else { throw .packerMissing }
        guard process.terminationStatus == 0 else { throw .packerFailed }
        guard let data = try? Data(contentsOf: report),
            let outcome = try? JSONDecoder().decode(Outcome.self, from: data)
        else { throw .unreadable(report.path) }
        // Paths are told as from the folder that it was called in.
        var files: [String: Outcome.File] = [:]
        for (path, file) in outcome.outputs {
            files["parts/" + (path.split(separator: "/").last ?? "")] = file
        }
        return files
    }
}
