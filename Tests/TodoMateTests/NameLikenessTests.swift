import Testing
import TodoMate

@Suite("Names that look alike")
struct NameLikenessTests {
    @Test(
        "are those with the same look",
        arguments: [
            ("alice", "a1ice"), ("alice", "aIice"), ("alice", "Alice"), ("alice", "AL1CE"), ("bob", "b0b"),
            ("bob", "BOB"), ("mike", "rnike"), ("williams", "vvilliarns"), ("mail@example.org", "rnaiI@exarnp1e.0rg"),
            ("Ian", "lan"), ("rn", "m"), ("vv", "W"),
        ]
    )
    func alike(_ one: String, _ other: String) {
        #expect(NameLikeness.areAlike(one, other) && NameLikeness.areAlike(other, one))
        #expect(!NameLikeness.areAlike(one, one), "a name is not mistaken for itself")
        let look = NameLikeness.look(of: one)
        #expect(NameLikeness.look(of: look) == look, "a look looks like itself")
        #expect(throws: Never.self) { try TodoBounds.uid(look) }
    }

    @Test(
        "are no others",
        arguments: [
            ("alice", "alicia"), ("alice", "alce"), ("bob", "rob"), ("a.b", "a_b"), ("a.b", "ab"), ("anna", "ana"),
            ("alice2", "alice3"), ("nr", "m"), ("v.v", "w"), ("dan", "clan"),
        ]
    )
    func others(_ one: String, _ other: String) {
        #expect(!NameLikeness.areAlike(one, other))
    }
}
