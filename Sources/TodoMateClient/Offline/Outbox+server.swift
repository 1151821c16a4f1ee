import TodoMate

/// What an outbox sends, and what becomes of it.
extension Outbox {
    // MARK: What is sent

    /// The next request, where one can be sent; those of other todos do not wait for it.
    ///
    /// - Parameters:
    ///   - base: the server's todos, as far as they are known.
    ///   - paused: todos of which nothing is sent for now.
    ///   - reached: the change up to which the base is.
    /// - Returns: the request, once the steps are written down.
    mutating func next(
        base: [String: Todo],
        besides paused: Set<String>,
        reached: ChangeID
    ) -> (request: Request?, steps: [Step]) {
        var steps: [Step] = []
        guard let index = first(besides: paused) else { return (nil, steps) }
        let isRepeated = entries[index].state == .sent
        if !isRepeated, !prepare(index, base, reached, &steps) {
            // It is settled or refused, and what comes behind it may be sent.
            let rest = next(base: base, besides: paused, reached: reached)
            return (rest.request, steps + rest.steps)
        }
        entries[index].attempts += 1
        let ready = entries[index]
        inFlight.insert(ready.number)
        let request = Request(
            number: ready.number,
            todo: ready.todo,
            key: ready.key,
            intent: ready.intent,
            revision: ready.revision,
            repeatedSince: isRepeated ? ready.sentAfter : nil
        )
        return (request, steps)
    }

    /// The one that was sent least often of those that are first of their todo, so that some that never get through hold up no others.
    private func first(besides paused: Set<String>) -> Int? {
        var seen = paused
        let ready = entries.indices.filter { index in
            let entry = entries[index]
            return entry.isOpen && seen.insert(entry.todo).inserted && !inFlight.contains(entry.number)
        }
        return ready.min { entries[$0].attempts < entries[$1].attempts }
    }

    /// Makes an entry what is sent, on top of what the server has; false where nothing of it is left.
    private mutating func prepare(
        _ index: Int,
        _ base: [String: Todo],
        _ reached: ChangeID,
        _ steps: inout [Step]
    ) -> Bool {
        let entry = entries[index]
        let theirs = latest(entry.todo, base)
        switch entry.intent {
        case .add: entries[index].sentAfter = lastKnown(of: entry.todo, reached)
        case .skip: break
        case .edit(let patch):
            guard let theirs else {
                // A routine's day is made by the first edit, unless somebody else was faster.
                if entry.unmade != nil {
                    entries[index].revision = ExpectedRevision(0)
                    break
                }
                steps += refuse(index, .notFound("it was removed elsewhere: what was written is kept here"))
                return false
            }
            let merge = TodoMerge(patch, seen: entry.seen, theirs: theirs)
            steps += merge.overwritten.map { .tell($0) }
            guard merge.patch != TodoPatch() else {
                steps.append(drop(at: index))
                return false
            }
            entries[index].intent = .edit(merge.patch)
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
        case .remove:
            guard let theirs else {
                steps += settleGone(index)
                return false
            }
            guard entry.seen?.says(asMuchAs: theirs) ?? true else {
                steps += refuse(index, Self.isChanged)
                return false
            }
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
        }
        (entries[index].state, entries[index].attempts) = (.sent, 0)
        steps.append(.put(entries[index]))
        return true
    }

    /// A todo as the server has it: by the base, or by an answer that the base has not reached.
    private func latest(_ todo: String, _ base: [String: Todo]) -> Todo? {
        var latest = base[todo]
        for entry in entries where entry.todo == todo {
            guard case .answered(let id) = entry.state else { continue }
            if latest?.isBefore(id) ?? true { latest = entry.answer }
        }
        return latest
    }

    /// Nothing is left to be removed; where the base has not reached that, it does not show again until then.
    private mutating func settleGone(_ index: Int) -> [Step] {
        let todo = entries[index].todo
        guard let last = entries[..<index].last(where: { $0.todo == todo && $0.isAnswered }) else {
            return [drop(at: index)]
        }
        entries[index].state = last.state
        return [.put(entries[index])]
    }

    /// The last change that is known to have been before what is done with a todo now.
    private func lastKnown(of todo: String, _ reached: ChangeID) -> ChangeID {
        entries.reduce(reached) { last, entry in
            guard entry.todo == todo, case .answered(let id) = entry.state, id.version > last.version else {
                return last
            }
            return id
        }
    }

    // MARK: What is answered

    /// A request was answered.
    ///
    /// - Parameter reached: the change up to which the base is.
    mutating func answered(_ number: Int, _ outcome: Outcome, reached: ChangeID) -> [Step] {
        inFlight.remove(number)
        let isOutdated = outdated.remove(number) != nil
        // What was answered before the base was replaced may be lost since: the same is asked once more.
        guard !isOutdated, let index = index(of: number), entries[index].isOpen else { return [] }
        switch outcome {
        case .written(let id, let todo): return settle(index, id, todo, reached)
        case .settled, .unneeded: return [drop(at: index)]
        case .exists(let theirs): return exists(index, theirs, reached)
        case .unchanged(let todo): return settle(index, todo, reached)
        case .conflict(let theirs): return merge(index, theirs, reached)
        case .missing(let reason):
            // Gone is gone, whoever removed it; for what was written elsewhere see ``retry(_:key:base:)``.
            switch entries[index].intent {
            case .remove, .skip(isBack: false): return [drop(at: index)]
            case .add, .edit, .skip(isBack: true): return refuse(index, .notFound(reason))
            }
        case .refused(let reason): return refuse(index, reason)
        // It may have been done: the same once more, when the time has come.
        case .passing: return []
        }
    }

    /// A todo has the id of one that is added: this one, added by an attempt whose answer was lost, or another one.
    private mutating func exists(_ index: Int, _ theirs: Todo, _ reached: ChangeID) -> [Step] {
        guard case .add(let draft) = entries[index].intent else { return settle(index, theirs, reached) }
        if draft.isWritten(in: theirs) { return settle(index, theirs, reached) }
        // The attempts say nothing of whose it is: what was typed must not go with a guess.
        guard let (patch, seen) = change(draft, entries[index].seen, on: theirs) else {
            return refuse(index, Self.isTaken)
        }
        (entries[index].intent, entries[index].seen) = (.edit(patch), seen)
        return merge(index, theirs, reached)
    }

    /// What of a draft is to be changed in a todo that has its id, and upon what; nil for what nobody knows to be the same todo.
    private func change(_ draft: TodoDraft, _ seen: Todo?, on theirs: Todo) -> (TodoPatch, seen: Todo)? {
        // A day has one note: one that was begun on two devices is written on both.
        if DayNote.isID(theirs.id) {
            var blank = theirs
            blank.detail = ""
            return (TodoPatch(detail: draft.detail, visibility: draft.visibility), blank)
        }
        // It was to bring back what was removed, and somebody else did.
        return seen.map { (draft.differences(from: $0), $0) }
    }

    private mutating func settle(_ index: Int, _ todo: Todo, _ reached: ChangeID) -> [Step] {
        settle(index, ChangeID(version: todo.revision, microseconds: todo.micros), todo, reached)
    }

    private mutating func settle(_ index: Int, _ id: ChangeID, _ todo: Todo?, _ reached: ChangeID) -> [Step] {
        // What is said twice, while the base went on, is in its history, whatever the server's clock says; one version is one change.
        let isConfirmed = entries[index].doubted == id && id.version < reached.version
        let later = known(id, before: entries[index])
        guard !isConfirmed, reached.version < id.version || reached.isOfAnotherHistory(than: id) else {
            return later + [drop(at: index)]
        }
        entries[index].state = .answered(id)
        entries[index].answer = todo
        return later + [.put(entries[index])]
    }

    /// What comes after an entry of the same todo was not done before its change: it was perhaps in a history that was replaced.
    private mutating func known(_ id: ChangeID, before entry: OutboxEntry) -> [Step] {
        var steps: [Step] = []
        for index in entries.indices
        where entries[index].todo == entry.todo && entries[index].number > entry.number && entries[index].isOpen {
            guard let before = entries[index].sentAfter, before != id else { continue }
            entries[index].sentAfter = id
            steps.append(.put(entries[index]))
        }
        return steps
    }

    private static let isChanged = TodoError.conflict(
        "it was changed elsewhere since it was removed here: try it again to remove it as it is now",
        current: nil
    )
    private static let isTaken = TodoError.exists("another todo has its id: try it again to write it there")

    private mutating func merge(_ index: Int, _ theirs: Todo, _ reached: ChangeID) -> [Step] {
        switch entries[index].intent {
        case .edit(let patch):
            let merge = TodoMerge(patch, seen: entries[index].seen, theirs: theirs)
            // The server has all of it, which the base may not have reached.
            guard merge.patch != TodoPatch() else { return settle(index, theirs, reached) }
            entries[index].intent = .edit(merge.patch)
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
            // It is sent in these bytes from now on: what the server refuses it has not done.
            return [.put(entries[index])] + merge.overwritten.map { .tell($0) }
        case .remove:
            guard entries[index].seen?.says(asMuchAs: theirs) ?? true else { return refuse(index, Self.isChanged) }
            (entries[index].seen, entries[index].revision) = (theirs, theirs.written)
            return [.put(entries[index])]
        case .add: return refuse(index, Self.isTaken)
        case .skip: return [drop(at: index)]
        }
    }

    // MARK: What the base says

    /// The base has come to a change: what it has reached goes, and what the server may have lost is sent again in the same bytes. Where
    /// it was not lost, the server knows its key, and does nothing twice.
    ///
    /// | the base | an answer | what comes of it |
    /// |---|---|---|
    /// | went on change by change | of a change that it has come to, or past | the entry goes |
    /// | | of another history | it is sent again |
    /// | was replaced | which it shows | the entry goes |
    /// | | which it does not show: not yet, no more, or lost | it is sent again |
    /// | | that comes afterwards, to what was sent before | it is sent again |
    ///
    /// - Parameters:
    ///   - reached: the change up to which the base is.
    ///   - base: its todos.
    ///   - isReplaced: whether it did not go on from what it was before, change by change.
    mutating func baseMoved(to reached: ChangeID, base: [String: Todo], isReplaced: Bool = false) -> [Step] {
        if isReplaced { outdated.formUnion(inFlight) }
        var (steps, shown): ([Step], [String: Bool]) = ([], [:])
        // A base that has the last answer of a todo has had those before it.
        for entry in entries {
            if case .answered(let id) = entry.state { shown[entry.todo] = entry.isShown(by: base[entry.todo], id) }
        }
        for entry in entries {
            guard case .answered(let id) = entry.state, let index = index(of: entry.number) else { continue }
            if isReplaced ? shown[entry.todo] == false : reached.isOfAnotherHistory(than: id) {
                (entries[index].state, entries[index].answer, entries[index].doubted) = (.sent, nil, id)
                steps.append(.put(entries[index]))
            } else if id.version <= reached.version {
                steps.append(drop(at: index))
            }
        }
        return steps
    }
}

extension OutboxEntry {
    /// Whether a todo of the base, or that there is none, is what the server has answered with this change.
    fileprivate func isShown(by theirs: Todo?, _ id: ChangeID) -> Bool {
        guard let theirs else { return answer == nil }
        return theirs.revision == id.version && !theirs.isBefore(id)
    }
}

extension Todo {
    /// Whether a change is news to whoever knows the todo as this: a later one, or of another history.
    func isBefore(_ id: ChangeID) -> Bool {
        revision < id.version || ChangeID(version: revision, microseconds: micros).isOfAnotherHistory(than: id)
    }
}

extension ChangeID {
    /// Whether this change was made later than one of the same history.
    func isLater(than known: ChangeID) -> Bool { version > known.version && microseconds > known.microseconds }

    /// As ``mayBeOfAnotherHistory(than:)``; todos of older versions do not say when they were written.
    fileprivate func isOfAnotherHistory(than id: ChangeID) -> Bool {
        microseconds > 0 && id.microseconds > 0 && mayBeOfAnotherHistory(than: id)
    }
}
