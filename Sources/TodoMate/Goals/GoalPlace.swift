/// Where a goal is put among the others.
package enum GoalPlace: Sendable, Equatable {
    /// Right before the goal of this id.
    case before(String)
    /// Right behind the goal of this id.
    case after(String)

    /// The positions to write so that a goal stands there: one, or all where its neighbours leave no number between them.
    ///
    /// - Parameter goals: all in list order.
    /// - Throws: ``TodoError/invalid(_:)`` for a goal that is not there, or beside itself.
    package func positions(of id: String, among goals: [Goal]) throws(TodoError) -> [(id: String, position: Double)] {
        let other =
            switch self {
            case .before(let other), .after(let other): other
            }
        guard other != id else { throw .invalid("a goal cannot stand beside itself: name another one") }
        for id in [id, other] where !goals.contains(where: { $0.id == id }) {
            throw .invalid("there is no goal with the id \(id): make it first")
        }
        let rest = goals.filter { $0.id != id }
        let place = rest.prefix { $0.id != other }.count
        let index = if case .before = self { place } else { place + 1 }
        // Those that are archived stand behind all others, whatever their position.
        let isArchived = goals.contains { $0.id == id && $0.isArchived }
        let before = rest[..<index].last { $0.isArchived == isArchived }?.position
        let after = rest[index...].first { $0.isArchived == isArchived }?.position
        let position =
            switch (before, after) {
            case (nil, nil): 0.0
            case (nil, let after?): after - 1
            case (let before?, nil): before + 1
            case (let before?, let after?): (before + after) / 2
            }
        let fits = (before.map { $0 < position } ?? true) && (after.map { position < $0 } ?? true)
        guard !fits || abs(position) > TodoBounds.largestPosition else { return [(id, position)] }
        let all = rest[..<index].map(\.id) + [id] + rest[index...].map(\.id)
        return all.enumerated().map { ($0.element, Double($0.offset + 1)) }
    }
}
