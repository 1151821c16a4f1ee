import Foundation

/// Files as a source of Swift, in which each is a literal.
struct SwiftSource {
    private let text: String

    init(of files: [(path: String, text: String)]) throws(PackingError) {
        // So many that no file has as many after three quotation marks, or after a backslash.
        let marks = "####"
        var entries = ""
        for (path, text) in files {
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
            guard isPlain, !text.contains(marks) else { throw .notText(path) }
            entries += "        (\"\(path)\", \(marks)\"\"\"\n\(text)\n\"\"\"\(marks)),\n"
        }
        self.text = """
            // Made from the folder Web when building.
            extension WebAsset {
                /// The files of the page, by the paths that they are served under.
                static var packed: [(path: String, text: StaticString)] { [
            \(entries)    ] }
            }

            """
    }

    func write(to file: URL) throws(PackingError) {
        do {
            try Data(text.utf8).write(to: file)
        } catch {
            throw .unwritable(file.path)
        }
    }
}
