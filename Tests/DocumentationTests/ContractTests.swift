import Testing

/// What the functions can do and say stands in the article that others program against.
@Suite("The article on the Redis contract")
struct ContractTests {
    private static let article = "Sources/TodoMate/TodoMate.docc/TheRedisContract.md"
    private static let sources = "Sources/TodoMateRedis"

    /// The text of all files of the library.
    private static func lua() throws -> String {
        let files = try Checkout.files(in: sources, endingIn: ".lua")
        #expect(files.count == 25)
        return try files.map { try Checkout.text($0) }.joined()
    }

    @Test("has every function with its words")
    func functions() throws {
        let article = try Checkout.text(Self.article)
        let lua = try Self.lua()
        let registered = lua.matches(of: /register\('(\w+)', '(.*?)'.*, \{(.*?)\}/)
        #expect(registered.count >= 31)
        for (_, name, words, flags) in registered.map(\.output) {
            // The Lua text says `<first yyyymmdd>` where the article has `<first>` and says so in words.
            let usage = words.replacing(" yyyymmdd", with: "").replacing("expected ", with: "")
                .replacing("|", with: "\\|")
            let call = "| `\(flags.contains("no-writes") ? "FCALL_RO" : "FCALL") \(name) 1 <key>\(usage)` |"
            #expect(article.contains(call), "the article has no row \(call)")
        }
        let others = lua.matches(of: /function_name = '(\w+)'/).map(\.1)
        #expect(others.count == 3)
        for name in others {
            let isTold = article.contains("\(name) 0`") || article.contains("FCALL_RO \(name) ")
            #expect(isTold, "the article does not tell of \(name)")
        }
    }

    @Test("has every error, and no other")
    func errors() throws {
        let lua = try Self.lua()
        let failures = Set(lua.matches(of: /fail\('([A-Z_]+)'/).map { "TODOMATE_\($0.1)" })
        let told = try Checkout.text(Self.article).matches(of: /\| `(TODOMATE_[A-Z_]+)` \|/).map { String($0.1) }
        #expect(Set(told) == failures)
        #expect(told.count == Set(told).count)
    }
}
