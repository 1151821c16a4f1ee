import EventLoop

/// What people take along of what this process holds of them.
@LoopActor
final class InMemoryArchiveStore: ArchiveStoreType {
    private let database: InMemoryDatabase
    private let todos: InMemoryTodoRepository

    init(_ database: InMemoryDatabase, _ todos: InMemoryTodoRepository) {
        (self.database, self.todos) = (database, todos)
    }

    func write(
        _ lines: [[UInt8]],
        of uid: String,
        replacing: Bool
    ) async throws(TodoError) -> [ArchiveOutcome] {
        try TodoBounds.uid(uid)
        return lines.map { line in
            do throws(TodoError) {
                guard case .todo(let owner) = try ArchiveLine(line), owner == uid else {
                    throw .invalid("uid must be \(uid) as in the key")
                }
                return try todos.take(try ArchivedTodo(line), of: uid, replacing: replacing)
            } catch {
                return .refused(error.description)
            }
        }
    }

    func read(of uid: String, _ take: @escaping @LoopActor ([UInt8]) async -> Bool) async throws(TodoError) {
        try TodoBounds.uid(uid)
        let (user, parts) = (database[uid], ArchiveParts(take))
        guard database.users[uid] != nil else { return }
        await parts.add(ArchiveLine.text(ofProfile: Self.fields(user.account), of: uid).utf8)
        for todo in user.todos.values.sorted(by: Todo.isInListOrder) { await parts.add(TodoDTO(todo).json.utf8) }
        for followed in user.following.values.sorted(by: { $0.uid < $1.uid }) {
            let others = database[followed.uid].others
            let link = ArchiveLink(
                uid: uid,
                with: followed.uid,
                list: .following,
                at: others[.following]?[uid] ?? others[.requested]?[uid] ?? 1,
                state: followed.state,
                position: followed.position
            )
            await parts.add(ArchiveLine.text(of: link).utf8)
        }
        for (list, name) in [
            (ArchiveLink.List.followers, FollowerList.following), (.requests, .requested), (.blocked, .blocked),
        ] {
            for (other, time) in user.others[name, default: [:]].sorted(by: { $0.key < $1.key }) {
                let link = ArchiveLink(uid: uid, with: other, list: list, at: time)
                await parts.add(ArchiveLine.text(of: link).utf8)
            }
        }
        for (todo, people) in user.reactions.sorted(by: { $0.key < $1.key }) {
            // Who is leaving is gone to others, here as in the list of who reacted.
            for (person, emoji) in people.sorted(by: { $0.key < $1.key })
            where database[person].account.leaving == nil {
                let link = ArchiveLink(uid: uid, with: person, list: .reactions, todo: todo, emoji: emoji)
                await parts.add(ArchiveLine.text(of: link).utf8)
            }
        }
        await parts.end()
    }

    private static func fields(_ account: InMemoryDatabase.Account) -> [String: String] {
        var fields = ["audience": (account.leaving?.audience ?? account.audience).rawValue]
        fields["visibility"] = account.visibility.rawValue
        fields["feedSeen"] = String(account.feedSeen)
        fields["mail"] = account.mail
        let goals = account.goals.values.sorted { $0.id < $1.id }.map(\.json).joined(separator: ",")
        fields["goals"] = "[\(goals)]"
        let routines = account.routines.values.sorted { $0.id < $1.id }.map(\.json).joined(separator: ",")
        if !routines.isEmpty { fields["routines"] = "[\(routines)]" }
        let preferences = account.preferences
        fields["name"] = preferences.name
        fields["face"] = preferences.face
        fields["language"] = preferences.language
        fields["timeZone"] = preferences.timeZone
        fields["weekStart"] = preferences.weekStart?.rawValue
        return fields
    }
}
