package import EventLoop

/// Reads who reacted to a todo: for its owner all but those who are about to delete their accounts, or whom the owner has blocked.
@LoopActor
package struct ReactionReader {
    private let feeds: any FeedStoreType
    private let deletions: (any DeletionStoreType)?
    private let relations: any RelationStoreType

    /// What reads from these stores.
    package init(_ stores: PersonalStores) {
        (feeds, deletions, relations) = (stores.feeds, stores.deletions, stores.relations)
    }

    /// Who reacted with what.
    ///
    /// - Parameters:
    ///   - id: the todo's id.
    ///   - owner: whose todo it is.
    ///   - person: only this user's; nil for all, at most 1,000, in no order.
    package func reactions(to id: String, of owner: String, by person: String? = nil) async throws(TodoError)
        -> [Reaction]
    {
        let all = try await feeds.reactions(to: id, of: owner, by: person)
        // Who is about to go is gone to others; the number in the todo stays until then. Of whom nobody knows, nothing is told.
        let (leaving, unknown) = try await deletions?.leaving(among: all.map(\.uid)) ?? ([], [])
        return all.filter { !leaving.contains($0.uid) && !unknown.contains($0.uid) }
    }

    /// Who reacted with what, and how they are called as far as the owner may know: by emoji, the most frequent first.
    package func reactors(to id: String, of owner: String) async throws(TodoError) -> [Reactor] {
        let reactions = try await reactions(to: id, of: owner)
        let people = try await relations.people(reactions.map(\.uid), asKnownTo: owner)
        return Reactor.listed(
            reactions.map { Reactor(emoji: $0.emoji, person: people[$0.uid] ?? PublicPerson(uid: $0.uid)) }
        )
    }
}

/// Somebody who reacted to a todo.
///
///     {"uid":"bob","emoji":"🎉","name":"Bob","face":"🐻"}
package struct Reactor: Sendable, Equatable {
    /// With what.
    package var emoji: String
    /// Who, as the owner knows them.
    package var person: PublicPerson

    package init(emoji: String, person: PublicPerson) { (self.emoji, self.person) = (emoji, person) }

    /// The reaction as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject(["uid": person.uid, "emoji": emoji, "name": person.name, "face": person.face]).text
    }

    /// In the order in which they are listed: the emoji that most have chosen first, and those of one by their names.
    package static func listed(_ reactors: [Reactor]) -> [Reactor] {
        let counts = Dictionary(reactors.map { ($0.emoji, 1) }, uniquingKeysWith: +)
        func key(_ reactor: Reactor) -> (Int, String, String, String) {
            (
                -counts[reactor.emoji, default: 0], reactor.emoji, reactor.person.name ?? reactor.person.uid,
                reactor.person.uid
            )
        }
        return reactors.sorted { key($0) < key($1) }
    }
}
