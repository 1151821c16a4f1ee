import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate history`
struct HistoryCommand: Command {
    static let about = CommandDescription(
        name: "history",
        summary: "Tell what became of a todo, or which ones were removed.",
        discussion:
            "Redis keeps each user's last 1,000 changes or so: what was before them is not known, and the last line says how far back it goes. "
            + "Others' reactions and requests to follow are changes as well. "
            + "Each line ends with the device by which it was written, where that is known; who reacted, 'todomate reactions' tells. "
            + "'todomate recover' makes a todo what it was. "
            + "Words follow LANG (English and Korean).",
        examples: [
            .init("todomate history alice", "The todos that were removed and are not there now."),
            .init("todomate history alice \"buy milk\"", "What became of one, be it there or gone."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(
        optional: "todo",
        as: .todoName,
        help:
            "The todo's id, its first characters, or words that no other todo has: then the user is named as well. Without it: what "
            + "was removed."
    )
    private var name: String?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let history = try await places.place().withStores { stores in
            if let name {
                try await stores.past(named: name, of: user)
            } else {
                try await stores.allRemoved(of: user)
            }
        }
        try StandardOutput.write(asJSON ? history.json + "\n" : text(history))
        return .ok
    }

    private func removed(_ entry: TodoHistory.Entry, _ words: any BoardWords) -> String {
        [entry.todo.name, entry.device.map(words.device)].compactMap(\.self).joined(separator: " · ")
    }

    private func text(_ history: TodoHistory) -> String {
        let words = BoardLanguage(environment: environment).words
        let time = { (at: Date) in at.formatted(.iso8601) }
        var lines = history.entries.indices.map { index in
            let entry = history.entries[index]
            let what =
                name == nil
                ? "\(entry.todo.id.padded(toWidth: 22))  " + removed(entry, words)
                : history.text(at: index, words) { $0.description }
            return "\(time(entry.at))  \(entry.id.description.padded(toWidth: 22))  \(what)"
        }
        if lines.isEmpty { lines.append(name == nil ? words.nothingRemoved : words.nothingKnown) }
        lines.append(history.reachText(words, time: time))
        return lines.map { $0 + "\n" }.joined()
    }
}
