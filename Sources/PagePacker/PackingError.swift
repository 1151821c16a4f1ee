/// Why the page was not packed, and what to do about it.
enum PackingError: Error, CustomStringConvertible {
    case packerMissing
    case packerFailed
    case unreadable(String)
    case unwritable(String)
    case notFound(String)
    case notText(String)

    var description: String {
        switch self {
        case .packerMissing:
            "esbuild is missing, which packs the page: install the package esbuild (apt-get install esbuild), or call scripts/deps"
        case .packerFailed: "esbuild did not pack the page: it says why above"
        case .unreadable(let path): "\(path) cannot be read"
        case .unwritable(let path): "\(path) cannot be written"
        case .notFound(let name): "index.html does not name \(name), which it is to begin with"
        case .notText(let name): "\(name) has bytes that are no text: a picture must be an SVG"
        }
    }
}
