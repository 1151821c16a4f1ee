import Foundation
import HTTPServing
import TodoMate

/// The bodies that the todo routes take.
enum TodoBody {
    /// `{"content":…,"date":…[,"time","goal","id","detail","status","position","visibility"]}`.
    static func draft(_ request: HTTPRequest) throws(Problem) -> TodoDraft {
        let fields = try fields(request)
        guard let content = fields.content else { throw Problem(.invalid, "content is missing") }
        guard let date = fields.date else { throw Problem(.invalid, "date is missing: write it as 2026-11-20") }
        return TodoDraft(
            id: fields.id,
            date: date,
            time: fields.time?.time,
            content: content,
            detail: fields.detail ?? "",
            status: fields.status ?? .todo,
            position: fields.position,
            visibility: fields.visibility,
            goal: fields.goal.flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    /// Any of the fields of a draft but `id`.
    static func patch(_ request: HTTPRequest) throws(Problem) -> TodoPatch {
        let fields = try fields(request)
        guard fields.id == nil else { throw Problem(.invalid, "id cannot be changed: leave it out") }
        let patch = TodoPatch(
            date: fields.date,
            time: fields.time,
            content: fields.content,
            detail: fields.detail,
            status: fields.status,
            position: fields.position,
            visibility: fields.visibility,
            goal: fields.goal
        )
        // A misspelt name must not look like success.
        guard patch != TodoPatch() else {
            throw Problem(
                .invalid,
                "give at least one of date, time, goal, content, detail, status, position and visibility"
            )
        }
        return patch
    }

    private static func fields(_ request: HTTPRequest) throws(Problem) -> TodoFields {
        try JSONBody.check(request)
        // What is not plainly right is left to the decoder, which knows what to say about it.
        if let fields = FlatJSON(request.body).flatMap({ TodoFields($0) }) { return fields }
        return try TodoFields.read(request)
    }
}

/// The fields of a todo in a body.
private struct TodoFields: RequestBody {
    var id: String?
    var content: String?
    var date: CalendarDate?
    var time: TimeChange?
    var detail: String?
    var status: TodoStatus?
    var position: Double?
    var visibility: Visibility?
    var goal: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, date, time, content, detail, status, position, visibility, goal
    }

    /// What a todo has besides, so that one that was read can be put back as it is.
    static let ignored: Set = ["uid", "revision", "micros", "createdAt", "updatedAt", "reactions"]
    static let place = "of a todo"

    /// Nil for any value that is not plainly right.
    init?(_ json: FlatJSON) {
        for (name, value) in json.fields {
            switch (CodingKeys(rawValue: name), value) {
            case (.id, .text(let text)): id = text
            case (.content, .text(let text)): content = text
            case (.detail, .text(let text)): detail = text
            case (.goal, .text(let text)): goal = text
            case (.position, .number(let number)): position = number
            case (.date, .text(let text)):
                guard let day = CalendarDate(text) else { return nil }
                date = day
            case (.time, .text(let text)):
                guard text.isEmpty || TimeOfDay(text) != nil else { return nil }
                time = TimeChange(to: TimeOfDay(text))
            case (.status, .text(let text)):
                guard let known = TodoStatus(rawValue: text) else { return nil }
                status = known
            case (.visibility, .text(let text)):
                guard let known = Visibility(rawValue: text) else { return nil }
                visibility = known
            default: guard Self.ignored.contains(name) else { return nil }
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.optional(.id)
        content = try fields.optional(.content)
        date = try fields.optional(.date)
        time = try fields.optional(.time)
        detail = try fields.optional(.detail)
        status = try fields.optional(.status)
        position = try fields.optional(.position)
        visibility = try fields.optional(.visibility)
        goal = try fields.optional(.goal)
    }
}
