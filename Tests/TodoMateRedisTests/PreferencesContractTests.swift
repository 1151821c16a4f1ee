import EventLoop
import Testing
import TodoMate

@Suite("Every store of preferences", .serialized)
@LoopActor
struct PreferencesContractTests {
    private nonisolated static let family = "👨‍👩‍👧‍👦"

    /// What may be put into a field, what is stored then, and nil where it is refused.
    private static let values: [(field: String, value: String, stored: String?)] = [
        ("name", "Alice Kim", "Alice Kim"), ("name", "김앨리스", "김앨리스"), ("name", "क्षि", "क्षि"),
        ("name", #"A "quoted" \ name"#, #"A "quoted" \ name"#), ("name", "Fox \(family)", "Fox \(family)"),
        ("name", String(repeating: "n", count: 40), String(repeating: "n", count: 40)),
        ("name", String(repeating: "n", count: 41), nil), ("name", " \u{3000} ", nil), ("name", "two\nlines", nil),
        ("name", "turned \u{202E}round", nil), ("name", "no\u{200B}thing", nil), ("name", "mark\u{FEFF}", nil),
        ("name", "soft\u{AD}hyphen", nil), ("name", "control\u{85}", nil), ("name", "isolate\u{2066}", nil),
        ("name", "arabic\u{61C}mark", nil), ("name", "tab\tbed", nil),
        ("face", "🦊", "🦊"), ("face", family, family), ("face", "👍\u{FE0F}", "👍"), ("face", "a", nil),
        ("face", "🦊🦊", nil), ("face", " ", nil),
        ("language", "en", "en"), ("language", "ko", "ko"), ("language", "xx", nil), ("language", "EN", nil),
        ("timeZone", "Asia/Seoul", "Asia/Seoul"), ("timeZone", "Etc/GMT+5", "Etc/GMT+5"), ("timeZone", "UTC", "UTC"),
        ("timeZone", "../etc/passwd", nil), ("timeZone", String(repeating: "z", count: 65), nil),
        ("timeZone", "Asia Seoul", nil),
        ("weekStart", "monday", "monday"), ("weekStart", "saturday", "saturday"), ("weekStart", "sunday", "sunday"),
        ("weekStart", "friday", nil), ("weekStart", "Monday", nil),
    ]

    @Test("takes what a field may hold, refuses all else, and forgets what is emptied", arguments: StoresKind.allCases)
    func table(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let relations = stores.relations
            for (field, value, stored) in Self.values {
                let patch = AccountPatch(preferences: [field: value])
                guard let stored else {
                    let before = try await relations.profile(of: "alice").settings
                    await #expect(throws: TodoError.self, "\(field): \(value)") {
                        try await relations.set(patch, of: "alice")
                    }
                    #expect(try await relations.profile(of: "alice").settings == before)
                    continue
                }
                #expect(try await relations.set(patch, of: "alice").preferences[field] == stored)
                #expect(try await relations.profile(of: "alice").settings.preferences[field] == stored)
                try await relations.set(AccountPatch(preferences: [field: ""]), of: "alice")
                #expect(try await relations.profile(of: "alice").settings.preferences[field] == nil)
            }
        }
    }

    @Test("changes one without the others, and logs a change only where there is one", arguments: StoresKind.allCases)
    func independence(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let relations = stores.relations
            let all = ["name": "Alice", "face": "🦊", "language": "ko", "timeZone": "Asia/Seoul", "weekStart": "sunday"]
            let settings = try await relations.set(AccountPatch(audience: .public, preferences: all), of: "alice")
            #expect(
                settings.json
                    == #"{"uid":"alice","audience":"public","visibility":"followers","feedSeen":0,"name":"Alice","face":"🦊","language":"ko","timeZone":"Asia/Seoul","weekStart":"sunday"}"#
            )
            #expect(try await relations.set(AccountPatch(preferences: all), of: "alice") == settings)
            let other = try await relations.set(AccountPatch(preferences: ["face": ""]), of: "alice")
            #expect((other.preferences.face, other.preferences.name, other.audience) == (nil, "Alice", .public))
            #expect(try await relations.set(AccountPatch(preferences: ["face": ""]), of: "alice") == other)
        }
    }

    /// How bob stands to alice, and whether alice's name is his business then.
    enum Standing: CaseIterable {
        case stranger, follower, asking, followed, asked, blocked, openAudience, blockedInOpenAudience, closedAudience

        fileprivate var maySee: Bool {
            switch self {
            case .follower, .followed, .asked, .openAudience: true
            case .stranger, .asking, .blocked, .blockedInOpenAudience, .closedAudience: false
            }
        }

        @LoopActor
        fileprivate func arise(_ relations: any RelationStoreType) async throws {
            switch self {
            case .stranger: break
            case .follower:
                _ = try await relations.follow("alice", by: "bob")
                _ = try await relations.accept("bob", by: "alice")
            case .asking: _ = try await relations.follow("alice", by: "bob")
            case .followed:
                _ = try await relations.follow("bob", by: "alice")
                _ = try await relations.accept("alice", by: "bob")
            case .asked: _ = try await relations.follow("bob", by: "alice")
            case .blocked: _ = try await relations.block("bob", by: "alice")
            case .openAudience: try await relations.set(AccountPatch(audience: .public), of: "alice")
            case .blockedInOpenAudience:
                try await relations.set(AccountPatch(audience: .public), of: "alice")
                _ = try await relations.block("bob", by: "alice")
            case .closedAudience: try await relations.set(AccountPatch(audience: .private), of: "alice")
            }
        }
    }

    @Test(
        "tells a name to those who have to do with a user, and nothing of whether there is one to others",
        arguments: StoresKind.allCases
    )
    func privacy(_ kind: StoresKind) async throws {
        for standing in Standing.allCases {
            try await kind.with { stores in
                let relations = stores.relations
                try await standing.arise(relations)
                try await relations.set(AccountPatch(preferences: ["name": "Alice", "face": "🦊"]), of: "alice")
                let seen = try await relations.person("alice", asKnownTo: "bob")
                let nobody = PublicPerson(uid: "alice")
                let alice = PublicPerson(uid: "alice", name: "Alice", face: "🦊")
                #expect(seen == (standing.maySee ? alice : nobody), "\(standing)")
                #expect(try await relations.person("alice", asKnownTo: "alice") == alice)
                #expect(try await relations.person("nobody", asKnownTo: "bob") == PublicPerson(uid: "nobody"))
            }
        }
    }
}
