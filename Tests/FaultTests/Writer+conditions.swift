import TestServers
import TodoMate

/// Writes that must change nothing: those that were made before, and those on the condition of what is gone.
extension Writer {
    /// Says once more what was acknowledged, which is answered with the todo as it is.
    func repeatWrite(_ id: String) async {
        guard let entry = ledger.entries[id], let todo = entry.acknowledged, entry.isCertain else { return }
        let isAdd = Bool.random(using: &random)
        let outcome =
            isAdd
            ? await keeper.add(id, todo.content, todo.date.description, for: entry.uid)
            : await keeper.edit(id, todo.content, of: entry.uid)
        if isAdd, !isSound(entry.uid) { twiceAdded.insert(todo.content) }
        switch outcome {
        case .done(todo):
            counts.repeated += 1
            note(entry.uid) { _ in }
        case .unknown:
            unanswered += 1
            if isAdd { ledger.mayHaveAdded(id) } else { ledger.mayHaveWritten(id, todo.content) }
        case .wrong(let text): objections.append("\(id): a write said again was answered with \(text)")
        case let other:
            note(entry.uid) { _ in objections.append("\(id): \(todo) said again was answered with \(other)") }
        }
    }

    /// Asks for something on the condition of a state that was acknowledged once and is gone, in this history or with
    /// another one that was lost.
    func tryFormer() async {
        guard let id = ledger.former.keys.sorted().randomElement(using: &random),
            let former = ledger.former[id]?.randomElement(using: &random)
        else { return }
        let uid = former.uid
        var current: Todo?
        switch await keeper.read(id, of: uid) {
        case .todo(let todo): current = todo
        case .missing: if ledger.isQuiet(id), isSound(uid), Bool.random(using: &random) { return await revive(id, uid) }
        case .same: return objections.append("\(id): a read without a condition was answered with 304")
        case .unknown: return
        }
        // Where only the latest changes were lost, what was there before them is there again.
        guard current?.written != former.written, isSound(uid) else { return }
        counts.former += 1
        if current != nil { counts.formerOfOther += 1 }
        await ask(former, current)
    }

    private func ask(_ former: Todo, _ current: Todo?) async {
        let (id, uid) = (former.id, former.uid)
        let outcome: Door.Outcome
        switch Int.random(in: 0..<3, using: &random) {
        case 0: outcome = await keeper.edit(id, newContent(for: uid), of: uid, expecting: former.written)
        case 1: outcome = await keeper.remove(id, of: uid, expecting: former.written)
        default: return await askForNews(former, current)
        }
        switch outcome {
        case .done(let todo):
            note(uid) { _ in
                objections.append(
                    "\(id): a write on the condition of \(former.written), which is gone, was carried out: "
                        + "\(todo.map { "\($0)" } ?? "no todo"); before \(current.map { "\($0)" } ?? "no todo")"
                )
            }
        case .wrong(let text): objections.append("\(id): a write on a condition was answered with \(text)")
        case .missing, .refused: note(uid) { _ in }
        case .unknown: unanswered += 1
        }
    }

    /// Asks whether anything is new to somebody who has the words of a state that is gone.
    private func askForNews(_ former: Todo, _ current: Todo?) async {
        guard case .same = await keeper.read(former.id, of: former.uid, knowing: former.written) else { return }
        note(former.uid) { _ in
            objections.append(
                "\(former.id): nothing new to \(former.written), which is gone, though it is "
                    + (current.map { "\($0)" } ?? "not there")
            )
        }
    }

    /// Gives the id of a todo that is gone to another one.
    private func revive(_ id: String, _ uid: String) async {
        ledger.letGo(id)
        await add(id, newContent(for: uid), for: uid)
    }
}
