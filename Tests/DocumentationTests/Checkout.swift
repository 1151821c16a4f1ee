import Foundation

/// The files of this package, as they are in the checkout that the tests were built from.
enum Checkout {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The files below a folder whose names end so, as paths from the root, sorted.
    static func files(in folder: String, endingIn suffix: String) throws -> [String] {
        let base = root.appending(path: folder).path
        return try FileManager.default.subpathsOfDirectory(atPath: base)
            .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }.map { "\(folder)/\($0)" }.sorted()
    }

    /// Where `scripts/test` has the examples built.
    static let examplePrograms = root.appending(path: ".build/examples/debug").path

    /// Where it has the one for apps built, with the main thread's loop.
    static let appPrograms = root.appending(path: ".build/pocket/debug").path
}
