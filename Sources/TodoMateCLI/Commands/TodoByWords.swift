import EventLoop
import TodoMate

extension TodoServiceType {
    /// Does something with the todo that a text names: by its id, by the beginning of that, or by words that no other one has.
    ///
    /// - Parameters:
    ///   - today: Of several with the words, those of this day are meant.
    ///   - shortest: Ids of fewer characters are to be written whole.
    ///   - isCautious: Whether words have to stand in a todo as they are, and in no other one, today's included: said again,
    ///     they must not mean what happens to have their letters, or comes next.
    ///   - all: Those that may be meant.
    ///   - wanted: Which todos words may mean.
    /// - Throws: ``TodoError/notFound(_:)`` when there is none, ``TodoError/invalid(_:)`` when there are several.
    @LoopActor
    func withTodo<Result: Sendable>(
        named text: String,
        of uid: String,
        on today: CalendarDate,
        idsFrom shortest: Int = 1,
        isCautious: Bool = false,
        among all: @escaping @LoopActor () async throws(TodoError) -> [Todo],
        where wanted: @LoopActor (Todo) -> Bool = { _ in true },
        _ body: @LoopActor (String) async throws(TodoError) -> Result
    ) async throws(TodoError) -> Result {
        if (try? TodoBounds.id(text)) != nil {
            do throws(TodoError) {
                return try await withTodo(text, of: uid, idsFrom: shortest, among: all, body)
            } catch .notFound(let reason) {
                let all = try await all()
                // Then an id was meant.
                guard !all.contains(where: { $0.id.hasPrefix(text) }) else { throw .notFound(reason) }
                return try await body(Self.only(text, of: uid, today, all.filter(wanted), isWhole: isCautious))
            }
        }
        return try await body(Self.only(text, of: uid, today, try await all().filter(wanted), isWhole: isCautious))
    }

    @LoopActor
    private static func only(
        _ text: String,
        of uid: String,
        _ today: CalendarDate,
        _ wanted: [Todo],
        isWhole: Bool = false
    ) throws(TodoError) -> String {
        guard let words = TodoWords(text) else { throw .invalid("name a todo by its id or its words") }
        let all = wanted.filter { isWhole ? words.matchWhole($0) : words.match($0) }
        let todays = isWhole ? [] : all.filter { $0.date == today }
        let found = todays.isEmpty ? all : todays
        guard let first = found.first else { throw .notFound("no todo of \(uid) has the id or the words '\(text)'") }
        guard found.count > 1 else { return first.id }
        let some = found.prefix(3).map { "\($0.id) (\($0.date), \($0.content))" }.joined(separator: ", ")
        let more = found.count > 3 ? " and \(found.count - 3) more" : ""
        throw .invalid("\(found.count) todos have the words '\(text)': \(some)\(more); write more of them, or the id")
    }
}
