import Foundation
import Testing

/// Code that is shown somewhere is a part of a file that the build compiles, word for word.
@Suite("Swift code in the documentation")
struct CompiledCodeTests {
    private static let compiled: [[String]] = {
        let folders = ["Snippets", "Examples"]
        let paths = (try? folders.flatMap { try Checkout.files(in: $0, endingIn: ".swift") }) ?? []
        return paths.compactMap { try? Checkout.text($0).components(separatedBy: "\n") }
    }()

    private static func isCompiled(_ lines: [String]) -> Bool {
        let wanted = CodeBlock.flushed(lines)
        return compiled.contains { file in
            file.indices.dropLast(wanted.count - 1).contains { start in
                file[start].hasSuffix(wanted[0]) && CodeBlock.flushed(file[start..<start + wanted.count]) == wanted
            }
        }
    }

    @Test(
        "is compiled in Snippets or Examples",
        arguments: try ["README.md", "README.ko.md"] + Checkout.files(in: "Sources", endingIn: ".md")
    )
    func articles(_ path: String) throws {
        for block in CodeBlock.all(in: try Checkout.text(path)) where block.language == "swift" {
            let text = block.lines.joined(separator: "\n")
            #expect(Self.isCompiled(block.lines), "\(path):\(block.line) is not in Snippets or Examples:\n\(text)")
        }
    }

    @Test("is compiled where a comment shows it")
    func comments() throws {
        var found = 0
        for path in try Checkout.files(in: "Sources", endingIn: ".swift") {
            // Four spaces make code in Markdown.
            let lines = try Checkout.text(path).components(separatedBy: "\n").map { line in
                line.trimmingPrefix(/\s*\/\/\/ {4}/).count < line.count
                    ? String(line.trimmingPrefix(/\s*\/\/\/ ?/)) : ""
            }
            for block in lines.split(separator: "").map(Array.init) {
                // Other languages are shown as well: a message, a command.
                guard block.contains(where: { $0.contains(/\blet \w+ = |\bfor await\b/) }) else { continue }
                found += 1
                #expect(
                    Self.isCompiled(block),
                    "\(path) shows code that no snippet has:\n\(block.joined(separator: "\n"))"
                )
            }
        }
        #expect(found > 0)
    }

    @Test("would be missed if it were not")
    func itself() {
        #expect(Self.compiled.count > 4)
        #expect(!Self.isCompiled(["let weather = 1"]))
    }
}
