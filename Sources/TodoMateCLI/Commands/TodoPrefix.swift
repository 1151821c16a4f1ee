import EventLoop
import TodoMate

extension TodoServiceType {
    /// Does something with the todo that has this id or, when none has, with the only one whose id begins so.
    ///
    /// - Parameters:
    ///   - shortest: Ids of fewer characters are to be written whole.
    ///   - todos: Those that may be meant, where these are not all.
    /// - Throws: ``TodoError/notFound(_:)`` when there is none, ``TodoError/invalid(_:)`` when there are several.
    @LoopActor
    func withTodo<Result: Sendable>(
        _ prefix: String,
        of uid: String,
        idsFrom shortest: Int = 1,
        among todos: (@LoopActor () async throws(TodoError) -> [Todo])? = nil,
        _ body: @LoopActor (String) async throws(TodoError) -> Result
    ) async throws(TodoError) -> Result {
        do throws(TodoError) {
            // Most ids are whole: they cost no second question.
            return try await body(prefix)
        } catch .notFound(let reason) {
            let all = if let todos { try await todos() } else { try await self.todos(of: uid, in: nil) }
            let found = try Self.only(all.filter { $0.id.hasPrefix(prefix) }, prefix, reason)
            guard found.id.count >= shortest else {
                throw .notFound("\(reason); if you mean \(found.id) (\(found.content)), write its id whole")
            }
            return try await body(found.id)
        }
    }

    private static func only(_ matches: [Todo], _ prefix: String, _ reason: String) throws(TodoError) -> Todo {
        guard let first = matches.first else { throw .notFound(reason) }
        guard matches.count > 1 else { return first }
        let some = matches.prefix(3).map { "\($0.id) (\($0.content))" }.joined(separator: ", ")
        let more = matches.count > 3 ? " and \(matches.count - 3) more" : ""
        throw .invalid(
            "\(matches.count) todos have ids that begin with \(prefix): \(some)\(more); write more of the id"
        )
    }
}
