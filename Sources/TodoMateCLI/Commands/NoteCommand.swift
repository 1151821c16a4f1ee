import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate

/// `todomate note`
struct NoteCommand: Command {
    static let about = CommandDescription(
        name: "note",
        summary: "Read or write the note of a day: one text a day, as in a diary.",
        discussion:
            "Without a text it is read, or with --from or --to those of some days. A new note is private unless --visibility says otherwise, "
            + "whatever new todos are; one that is there keeps its visibility. An empty text takes the note away.",
        examples: [
            .init("todomate note alice", "Today's note."),
            .init("todomate note alice \"Rain, and a long walk.\" --day yesterday"),
            .init("todomate note alice - --visibility followers < today.txt", "What the file says, for followers."),
            .init("todomate note alice --from mon --to today", "Those of some days."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(
        optional: "text",
        as: .detail,
        help:
            "What the note is to say; then the user is named as well. - reads the standard input, and an empty text takes the note away."
    )
    private var text: String?
    @Option("day", short: "d", as: .day, valueName: "day", help: "The day: \(RelativeDay.forms). By default today.")
    private var day: CalendarDate?
    @Option("from", as: .day, valueName: "day", help: "Read the notes of this day and later ones.")
    private var from: CalendarDate?
    @Option("to", as: .day, valueName: "day", help: "Read the notes of this day and earlier ones.")
    private var to: CalendarDate?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.expectedNote) private var revision: ExpectedRevision?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        if from != nil || to != nil { return try await list() }
        let day = day ?? CalendarDate(Date(), in: .current)
        guard text != nil || visibility != nil else {
            guard revision == nil else {
                throw CommandError.usage("--expect is for writing: give a text or --visibility")
            }
            let note = try await places.place().withStores { stores in
                do throws(TodoError) {
                    return try await stores.todos.todo(DayNote.id(of: day), of: user)
                } catch .notFound {
                    throw TodoError.notFound("\(user) has no note of \(day)")
                }
            }
            try StandardOutput.write(asJSON ? note.report(asJSON: true) : note.noteText)
            return .ok
        }
        let said = text == "-" ? try Self.standardInput() : text
        let note = try await places.place().withStores { stores in
            try await stores.notes.set(said, visibility: visibility, on: day, of: user, expecting: revision).todo
        }
        try StandardOutput.write(note.report(asJSON: asJSON))
        return .ok
    }

    private func list() async throws -> ExitCode {
        guard text == nil, day == nil, visibility == nil, revision == nil else {
            throw CommandError.usage("--from and --to read notes: leave out the text, --day, --visibility and --expect")
        }
        if let from, let to, from > to { throw CommandError.usage("--from must not be later than --to") }
        let search = TodoSearch(from: from, to: to, isForNotes: true)
        let found = try await places.place().withStores { try await $0.searches.all(search, of: user, for: user) }
        let notes = found.sorted(by: Todo.isInListOrder)
        let texts = notes.map { asJSON ? $0.report(asJSON: true) : "\($0.date)  \($0.visibility)\n\($0.noteText)" }
        try StandardOutput.write(texts.joined(separator: asJSON ? "" : "\n"))
        return .ok
    }

    /// All of the standard input, as far as a note may be long.
    private static func standardInput() throws -> String {
        let most = 4 * TodoBounds.detailLength
        let data = try FileHandle.standardInput.read(upToCount: most + 1) ?? Data()
        guard data.count <= most, let text = String(validating: data, as: UTF8.self) else {
            throw CommandError(
                "the standard input must be UTF-8 of at most \(TodoBounds.detailLength) characters",
                exitCode: .dataError
            )
        }
        do throws(TodoError) {
            // The last line ends as lines of a file do.
            return try TodoBounds.detail(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        } catch {
            throw CommandError(describing: error)
        }
    }
}

extension Option where Value == ExpectedRevision? {
    /// What a note must still be at.
    fileprivate static var expectedNote: Self {
        Self(
            "expect",
            as: .revision,
            valueName: "revision",
            help:
                "Write only if the note is still at this revision, as in 57-1763677123456789; 0 where there must be none yet."
        )
    }
}

extension Todo {
    /// What a note says, line by line, fit for a terminal.
    fileprivate var noteText: String {
        detail.split(separator: "\n", omittingEmptySubsequences: false).map { $0.sanitized() + "\n" }.joined()
    }

    /// What names it in a line: its content, or of a note what that says.
    var name: String { isNote ? "\(content) \(detail.trimmed)".sanitized() : content.sanitized() }
}
