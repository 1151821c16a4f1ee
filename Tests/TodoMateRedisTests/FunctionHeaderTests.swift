import Testing
import TodoMateRedis

/// Whoever calls a function by hand reads its header first.
@Suite("The header of each function in Redis")
struct FunctionHeaderTests {
    private static let library = String(decoding: FunctionLibrary.source, as: UTF8.self)

    /// The headers by the names of their functions.
    private static let headers = [String: Substring](
        library.matches(of: /--\[\[\n  (todomate_\w+): ([\s\S]*?)\]\]/).map { (String($0.1), $0.2) },
        uniquingKeysWith: { first, _ in first }
    )

    @Test("names the keys, each argument and the answer, and says `writes` where the flags let it write")
    func ofUsers() {
        let registered = Self.library.matches(of: /register\('(\w+)', '.*?', \d+, (\d+), \{(.*?)\}/)
        #expect(registered.count > 40)
        for (_, name, most, flags) in registered.map(\.output) {
            let header = Self.headers[String(name)] ?? ""
            #expect(header.contains(#/\n  KEYS\[1\]  todomate:\{(?:uid|digest)\}; /#), "\(name)")
            #expect(header.contains("\n  answer   "), "\(name)")
            let arguments = header.matches(of: /\n  args\[(\d*)(…?)\]/)
            let isOpen = arguments.last?.2 == "…"
            #expect(isOpen || arguments.map(\.1) == (0..<(Int(most) ?? 0)).map { "\($0 + 1)" }, "\(name)")
            #expect(header.contains(/\b(?:writes|deletes)\b/) != flags.contains("no-writes"), "\(name)")
        }
    }

    @Test("stands at those that are called otherwise, too")
    func ofOthers() {
        let others = Self.library.matches(of: /function_name = '(\w+)'/).map { String($0.1) }
        #expect(others.count == 3)
        for name in others { #expect(Self.headers[name]?.contains("\n  answer   ") == true, "\(name)") }
    }

    @Test("names errors that there are")
    func errors() {
        let codes = Set(Self.library.matches(of: /fail\('([A-Z_]+)'/).map(\.1))
        for (name, header) in Self.headers {
            guard let line = header.firstMatch(of: /\n  errors   (.*)/)?.1 else { continue }
            for code in line.matches(of: /[A-Z_]{4,}/).map(\.output) { #expect(codes.contains(code), "\(name)") }
        }
    }
}
