import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store that finds todos", .serialized)
@LoopActor
struct SearchContractTests {
    private static let friday = CalendarDate("2026-11-20")!
    private static let saturday = CalendarDate("2026-11-21")!
    private static let sunday = CalendarDate("2026-11-22")!

    private func add(
        _ stores: Stores,
        _ id: String,
        _ content: String,
        on date: CalendarDate = friday,
        detail: String = "",
        status: TodoStatus = .todo,
        visibility: Visibility = .followers,
        goal: String? = nil
    ) async throws {
        let draft = TodoDraft(
            id: id,
            date: date,
            content: content,
            detail: detail,
            status: status,
            visibility: visibility,
            goal: goal
        )
        _ = try await stores.todos.add(draft, for: "alice")
    }

    private func found(
        _ stores: Stores,
        _ search: TodoSearch,
        for viewer: String = "alice"
    ) async throws -> [String] {
        try await stores.searches.all(search, of: "alice", for: viewer).map(\.id)
    }

    @Test("finds all words in whatever order and spelling, the latest days first", arguments: StoresKind.allCases)
    func words(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            #expect(try await found(stores, TodoSearch(words: TodoWords("milk"))) == [])
            try await add(stores, "a", "Buy \"oat\" milk\\", detail: "in\tthe\nshop")
            try await add(stores, "b", "우유 사기 🥛", on: Self.saturday)
            try await add(stores, "c", "ＭＩＬＫ for café")
            try await add(stores, "d", "\u{110B}\u{116E}\u{110B}\u{1172}만")
            try await add(stores, "e", "漢字 전화", detail: "\"status\":\"complete\"")
            for (words, ids) in [
                ("MILK", ["c", "a"]), ("milk buy", ["a"]), ("\"oat\"", ["a"]), ("\\", ["a"]), ("shop the", ["a"]),
                ("우유", ["b", "d"]), ("\u{110B}\u{116E}\u{110B}\u{1172}", ["b", "d"]), ("사기 🥛", ["b"]),
                ("CAFÉ", ["c"]), ("cafe", ["c"]), ("càfè", ["c"]), ("cafe\u{301} milk", ["c"]), ("漢字", ["e"]),
                ("전화 complete", ["e"]),
                ("nowhere", []), ("content", []), ("alice", []), ("n", ["a"]), ("milk 우유", []),
            ] {
                #expect(try await found(stores, TodoSearch(words: TodoWords(words))) == ids, "\(words)")
            }
        }
    }

    @Test("finds letters and signs beyond ASCII in Redis as in memory, in either case and spelling")
    func beyondASCII() async throws {
        let ranges: [ClosedRange<UInt32>] = [
            0xB5...0x105, 0x301...0x303, 0x2010...0x2015, 0x2024...0x2027, 0x2191...0x2192, 0x2605...0x2606,
            0x2776...0x2777,
            0x1F18E...0x1F191, 0x1F300...0x1F301,
        ]
        let signs = ranges.joined().compactMap(Unicode.Scalar.init).map(String.init)
        try await StoresKind.inMemory.with { memory in
            try await StoresKind.redis.with { redis in
                for (number, sign) in signs.enumerated() {
                    for stores in [memory, redis] { try await add(stores, "t\(number)", "e\(sign)\u{FE0F} T") }
                }
                for sign in signs {
                    for spelling in [sign.uppercased(), sign.lowercased(), sign.decomposedStringWithCanonicalMapping] {
                        let search = TodoSearch(words: TodoWords(spelling))
                        let ids = try await found(redis, search)
                        #expect(try await ids == found(memory, search), "\(spelling.unicodeScalars)")
                        // A mark becomes one letter with the one before it, and two letters are not ß.
                        if spelling == sign.lowercased(), !(0x301...0x303).contains(sign.unicodeScalars.first!.value) {
                            #expect(!ids.isEmpty, "\(spelling.unicodeScalars)")
                        }
                    }
                }
            }
        }
    }

    @Test("keeps to status, goal and days, each alone and together", arguments: StoresKind.allCases)
    func filters(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for id in ["g1", "g2"] { try await stores.goals.set(GoalPatch(id: id, name: id), of: "alice") }
            try await add(stores, "a", "milk", status: .complete, goal: "g1")
            try await add(stores, "b", "milk ,\"goal\":\"g1\"", on: Self.saturday, goal: "g2")
            try await add(stores, "c", "milk", on: Self.sunday, status: .inProgress)
            let milk = TodoWords("milk")
            for (search, ids) in [
                (TodoSearch(status: .complete), ["a"]), (TodoSearch(status: .incomplete), []),
                (TodoSearch(goal: "g1"), ["a"]), (TodoSearch(goal: "g2"), ["b"]), (TodoSearch(goal: ""), ["c"]),
                (TodoSearch(goal: "g3"), []), (TodoSearch(from: Self.saturday), ["c", "b"]),
                (TodoSearch(to: Self.saturday), ["b", "a"]), (TodoSearch(from: Self.friday, to: Self.friday), ["a"]),
                (TodoSearch(words: milk, goal: "g2", from: Self.saturday, to: Self.saturday), ["b"]),
                (TodoSearch(words: milk, status: .todo, goal: "g1"), []), (TodoSearch(words: milk), ["c", "b", "a"]),
                (TodoSearch(from: .latest), []), (TodoSearch(to: .earliest), []), (TodoSearch(), ["c", "b", "a"]),
            ] { #expect(try await found(stores, search) == ids, "\(search)") }
            await expect("invalid") { _ = try await found(stores, TodoSearch(goal: "a b")) }
            await expect("invalid") {
                _ = try await found(stores, TodoSearch(from: Self.saturday, to: Self.friday))
            }
        }
    }

    @Test("shows others what they may see at that moment", arguments: StoresKind.allCases)
    func others(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for visibility in Visibility.allCases {
                try await add(stores, visibility.rawValue, "milk", visibility: visibility)
            }
            let milk = TodoSearch(words: TodoWords("milk"))
            #expect(try await found(stores, milk).count == 3)
            #expect(try await found(stores, milk, for: "bob") == ["public"])
            _ = try await stores.relations.follow("alice", by: "bob")
            _ = try await stores.relations.accept("bob", by: "alice")
            #expect(try await found(stores, milk, for: "bob") == ["public", "followers"])
            #expect(try await found(stores, TodoSearch(status: .todo), for: "bob").count == 2)
            // From either side.
            _ = try await stores.relations.block("alice", by: "bob")
            #expect(try await stores.searches.search(milk, of: "alice", for: "bob", after: nil, limit: 9) == nil)
            try await stores.relations.set(AccountPatch(audience: .private), of: "alice")
            #expect(try await stores.searches.search(milk, of: "alice", for: "carol", after: nil, limit: 9) == nil)
            #expect(try await found(stores, milk).count == 3)
        }
    }

    @Test("goes on behind what was shown, whatever became of that", arguments: StoresKind.allCases)
    func parts(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for number in 1...6 {
                try await add(stores, "t\(number)", "milk", on: number < 3 ? Self.saturday : Self.friday)
            }
            let milk = TodoSearch(words: TodoWords("milk"))
            func part(_ place: SearchPlace?, _ limit: Int = 3) async throws -> FoundTodos {
                try #require(
                    try await stores.searches.search(milk, of: "alice", for: "alice", after: place, limit: limit)
                )
            }
            let first = try await part(nil)
            #expect(first.todos.map(\.todo.id) == ["t2", "t1", "t6"])
            #expect(first.next?.description == "20261120.t6")
            let second = try await part(first.next)
            #expect(second.todos.map(\.todo.id) == ["t5", "t4", "t3"] && second.next == nil)
            // What the place names is gone: its day begins anew, and nothing of it is missed.
            _ = try await stores.todos.remove("t6", of: "alice", expecting: nil)
            #expect(try await part(first.next).todos.map(\.todo.id) == ["t5", "t4", "t3"])
            #expect(try await part(first.next, 1).next?.description == "20261120.t5")
            #expect(try await part(SearchPlace("19000101.x")).todos.isEmpty)
        }
    }

    @Test("finds one among thousands, in parts that each look at some")
    func many() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let lines = (0..<2500).map { number in
                let content = number == 7 ? "바늘 needle" : "straw"
                return
                    #"{"id":"t\#(number)","uid":"alice","date":"2026-11-\#(number % 20 + 10)","content":"\#(content)"}"#
            }
            for start in stride(from: 0, to: lines.count, by: 500) {
                let part = lines[start..<start + 500]
                _ = try await server.cli(["FCALL", "todomate_import", "1", "todomate:{alice}", "add"] + part)
            }
            for word in ["needle", "바늘"] {
                let search = TodoSearch(words: TodoWords(word))
                let found = try await repository.searches.search(
                    search,
                    of: "alice",
                    for: "alice",
                    after: nil,
                    limit: 9
                )
                #expect(found?.todos.map(\.todo.id) == ["t7"])
                #expect(found?.looked == 2500 && found?.next == nil)
            }
            let straw = TodoSearch(words: TodoWords("straw"))
            #expect(Set(try await found(repository.stores, straw)).count == 2499)
            let words = [
                "FCALL_RO", "todomate_search", "1", "todomate:{alice}", "alice", "own", #"{"words":["needle"]}"#,
            ]
            let part = try await server.cli(words).split(separator: "\n")
            #expect(part.count == 2 && part[1] == "1000" && part[0].hasPrefix("202611"), "\(part)")
        }
    }
}
