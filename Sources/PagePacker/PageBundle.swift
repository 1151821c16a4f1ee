import Foundation

/// The page as browsers get it: `index.html`, and parts whose names change with what is in them.
struct PageBundle {
    /// By their paths, sorted.
    let files: [(path: String, text: String)]

    /// What `index.html` begins with.
    private static let scripts = ["early.js", "board.js"]
    private static let styles = ["page.css"]
    /// The one picture, which the styles name as well.
    private static let icon = "icon.svg"
    private static let page = "index.html"
    /// What tells browsers that the page can be installed.
    private static let manifest = "manifest.webmanifest"
    /// The service worker, a script of its own.
    private static let worker = "worker.js"
    /// Where `index.html` has room for the parts that its scripts need at once, so that none waits for the one that imports it.
    private static let preloads = "<!-- modulepreload -->"

    init(of folder: URL) throws(PackingError) {
        let output = FileManager.default.temporaryDirectory.appending(path: "todomate-page-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let packer = Packer(folder: folder, output: output)
        let asFile = ["--loader:.svg=file", "--asset-names=parts/[name]-[hash]", "--public-path=/"]
        let styles = try packer.pack(Self.styles, asFile)
        let scripts = try packer.pack(Self.scripts, ["--splitting", "--format=esm", "--loader:.css=text"])

        var page = try Self.text(folder, Self.page)
        var manifest = try Self.text(folder, Self.manifest)
        let made = styles.merging(scripts) { $1 }
        for name in Self.styles + Self.scripts + [Self.icon] {
            let path = made.first { path, file in
                file.entryPoint == name || (name == Self.icon && path.hasSuffix(".svg"))
            }?.key
            guard let path, page.contains("\"/\(name)\"") else { throw .notFound(name) }
            page = page.replacing("\"/\(name)\"", with: "\"/\(path)\"")
            manifest = manifest.replacing("\"/\(name)\"", with: "\"/\(path)\"")
        }
        guard page.contains(Self.preloads) else { throw .notFound(Self.preloads) }
        let links = Self.neededAtOnce(scripts).map { "<link rel=\"modulepreload\" href=\"/\($0)\">" }
        // Without the indentation, which nobody sees.
        page = page.replacing(Self.preloads, with: links.joined(separator: "\n")).replacing(/\n +/, with: "\n")

        // Under a name of its own as well: the service worker keeps the page together with the very parts that it names.
        var parts = [("/parts/page-\(Fingerprint.of(page)).html", page)]
        for path in made.keys.sorted() { parts.append(("/\(path)", try Self.text(output, path))) }
        let worker = try Self.worker(packer, output, of: parts.map(\.0))
        files = [("/", page), ("/\(Self.manifest)", manifest), ("/\(Self.worker)", worker)] + parts
    }

    private static func worker(_ packer: Packer, _ output: URL, of parts: [String]) throws(PackingError) -> String {
        let list = parts.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try packer.pack([worker], ["--format=iife", "--define:PARTS=[\(list)]"])
        guard let path = made.first(where: { $1.entryPoint == worker })?.key else { throw .notFound(worker) }
        return try text(output, path)
    }

    /// The scripts that the page begins with, and all that these import, except by `import()`.
    private static func neededAtOnce(_ scripts: [String: Packer.Outcome.File]) -> [String] {
        var needed: Set<String> = []
        var open = scripts.filter { Self.scripts.contains($0.value.entryPoint ?? "") }.map(\.key)
        while let path = open.popLast() {
            guard needed.insert(path).inserted else { continue }
            let imports = scripts[path]?.imports.filter { $0.kind == "import-statement" } ?? []
            open += imports.map { "parts/" + ($0.path.split(separator: "/").last ?? "") }
        }
        return needed.sorted()
    }

    private static func text(_ folder: URL, _ path: String) throws(PackingError) -> String {
        guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8) else {
            throw .unreadable(folder.appending(path: path).path)
        }
        return text
    }
}
