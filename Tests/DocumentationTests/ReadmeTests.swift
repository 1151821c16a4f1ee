import EventLoop
import Testing

/// `README.md` as a newcomer follows it, and `README.ko.md` beside it.
@Suite("The README")
@LoopActor
struct ReadmeTests {
    @Test("has commands that run and print what it shows")
    func commands() async throws {
        let endings = try await Sandbox.with { try await ShownCommands(in: "README.md").run(in: $0) }
        // The first one started is the last one to end.
        #expect(endings.last?.ending == .exit(0), "\(endings.last?.errors ?? "nothing was started")")
    }

    @Test("in Korean has the same commands, code, pictures and sections")
    func korean() throws {
        let (english, korean) = (try Checkout.text("README.md"), try Checkout.text("README.ko.md"))
        func code(_ text: String) -> [CodeBlock] {
            CodeBlock.all(in: text).filter { $0.language != "text" }.map { block in
                var block = block
                block.line = 0
                // A comment speaks the language of its reader.
                block.lines = block.lines.map { $0.replacing(/\s*# .*/, with: "") }
                return block
            }
        }
        for (left, right) in zip(code(english), code(korean)) { #expect(left == right) }
        #expect(code(english).count == code(korean).count)
        func outline(_ text: String) -> [String] {
            let lines = text.split(separator: "\n")
            return lines.compactMap { $0.wholeMatch(of: /(#+) .*|!\[.*\]\((.*)\)/).map { "\($0.1 ?? $0.2 ?? "")" } }
        }
        #expect(outline(english) == outline(korean))
        func facts(_ text: String) -> Set<String> {
            let prose = text.replacing(/```.*?```/.dotMatchesNewlines(), with: "")
            return Set(prose.matches(of: /`([^`]+)`|\d[\d.,\/]*\d/).map { String($0.0).replacing("\n", with: " ") })
        }
        #expect(facts(english).symmetricDifference(facts(korean)) == [], "names and figures")
        #expect(korean.contains(/[가-힣]{3}/))
    }
}
