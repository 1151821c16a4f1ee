import Foundation
import TodoMate

/// An entry of the outbox as it is kept: JSON.
struct StoredEntry: Codable {
    /// The fields of a draft or a patch, as the server takes them.
    private struct Fields: Codable {
        var id: String?
        var date: CalendarDate?
        var time: TimeChange?
        var content: String?
        var detail: String?
        var status: TodoStatus?
        var position: Double?
        var visibility: Visibility?
        var goal: String?
    }

    private var number: Int
    private var todo: String
    private var key: String
    private var made: Double
    private var add: Fields?
    private var edit: Fields?
    /// Of a routine's day that is left out: whether it is to be there again.
    private var skipsBack: Bool?
    private var seen: TodoDTO?
    private var revision: String?
    private var sentAfter: String?
    private var answer: TodoDTO?
    private var sent: Bool?
    private var answered: String?
    /// Why it was refused, in words and by kind; programs before kept the words alone.
    private var refused: String?
    private var refusal: String?

    static func json(of entry: OutboxEntry) -> String { json(StoredEntry(entry)) }

    static func json(of overwritten: Overwritten) -> String { json(overwritten as any Encodable) }

    private static func json(_ value: any Encodable) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Nil for what is no entry.
    static func entry(of json: String) -> OutboxEntry? {
        (try? JSONDecoder().decode(StoredEntry.self, from: Data(json.utf8)))?.entry
    }

    private init(_ entry: OutboxEntry) {
        (number, todo, key) = (entry.number, entry.todo, entry.key)
        made = entry.made.timeIntervalSince1970
        switch entry.intent {
        case .add(let draft):
            add = Fields(
                id: draft.id,
                date: draft.date,
                time: draft.time.map { .set($0) },
                content: draft.content,
                detail: draft.detail,
                status: draft.status,
                position: draft.position,
                visibility: draft.visibility,
                goal: draft.goal
            )
        case .edit(let patch):
            edit = Fields(
                date: patch.date,
                time: patch.time,
                content: patch.content,
                detail: patch.detail,
                status: patch.status,
                position: patch.position,
                visibility: patch.visibility,
                goal: patch.goal
            )
        case .remove: break
        case .skip(let isBack): skipsBack = isBack
        }
        (seen, answer) = (entry.seen.map { TodoDTO($0) }, entry.answer.map { TodoDTO($0) })
        (revision, sentAfter) = (entry.revision?.description, entry.sentAfter?.description)
        switch entry.state {
        case .waiting: break
        case .sent: sent = true
        case .answered(let id): answered = id.description
        case .refused(let reason): (refused, refusal) = (reason.description, RefusalKind(reason).rawValue)
        }
    }

    private var entry: OutboxEntry? {
        guard let intent else { return nil }
        var entry = OutboxEntry(
            number: number,
            todo: todo,
            key: key,
            made: Date(timeIntervalSince1970: made),
            intent: intent,
            seen: seen?.toModel()
        )
        entry.revision = revision.flatMap { ExpectedRevision($0) }
        entry.sentAfter = sentAfter.flatMap { ChangeID($0) }
        entry.answer = answer?.toModel()
        if let refused {
            let kind = refusal.flatMap { RefusalKind(rawValue: $0) } ?? .invalid
            entry.state = .refused(kind.error(refused))
        } else if let answered {
            guard let id = ChangeID(answered) else { return nil }
            entry.state = .answered(id)
        } else if sent == true {
            (entry.state, entry.attempts) = (.sent, 1)
        }
        return entry
    }

    private var intent: OutboxEntry.Intent? {
        if let add {
            guard let date = add.date, let content = add.content else { return nil }
            return .add(
                TodoDraft(
                    id: add.id,
                    date: date,
                    time: add.time?.time,
                    content: content,
                    detail: add.detail ?? "",
                    status: add.status ?? .todo,
                    position: add.position,
                    visibility: add.visibility,
                    goal: add.goal
                )
            )
        }
        if let edit {
            return .edit(
                TodoPatch(
                    date: edit.date,
                    time: edit.time,
                    content: edit.content,
                    detail: edit.detail,
                    status: edit.status,
                    position: edit.position,
                    visibility: edit.visibility,
                    goal: edit.goal
                )
            )
        }
        return skipsBack.map { .skip(isBack: $0) } ?? .remove
    }
}
