import CommandArguments
import Foundation
import TodoMate

extension Positional where Value == String {
    /// The user whose todo a command is about.
    static var user: Self {
        Self("user", as: .user, environment: "TODOMATE_USER", help: "Whose todo it is. \(Self.usual)")
    }

    /// The user that a command is about.
    static var person: Self { Self("user", as: .user, environment: "TODOMATE_USER", help: "The user. \(Self.usual)") }

    /// Who it is where nobody is named.
    static var usual: String { "At a server, by default whoever has signed in." }

    /// The user whose account a command is about.
    static var account: Self { Self("user", as: .user, help: "Whose account it is.") }

    /// A todo, by its id or its words.
    static var todo: Self {
        Self(
            "todo",
            as: .todoName,
            help: "The todo's id, its first characters, or words that no other todo has; one word as it stands there."
        )
    }

    /// A todo.
    static var todoID: Self {
        Self(
            "id",
            as: .todoID,
            help: "The todo's id, as 'todomate list' shows it, or its first characters if no other id has them."
        )
    }
}

extension Option where Value == String {
    /// Where people find the page, for links.
    static var server: Self {
        Self(
            "server",
            as: .address,
            default: "http://localhost:8080",
            valueName: "url",
            environment: "TODOMATE_PUBLIC_URL",
            help: "Where the page is that the link opens, such as https://todo.example."
        )
    }
}

extension ValueParser where Value == String {
    /// The address of a server's page: a scheme and a host, and no more.
    fileprivate static let address = Self(
        describe: { $0 },
        parse: { text in
            guard text.wholeMatch(of: #/https?://[^/?#\s@]+/?/#) != nil else {
                throw InvalidValue(expectation: "an address such as https://todo.example")
            }
            return text
        }
    )
}

extension Flag {
    /// JSON in place of text.
    static var json: Self { Self("json", help: "Print JSON instead of text.") }
}

extension Option where Value == ExpectedRevision? {
    /// What a todo must still be at.
    static var expected: Self {
        Self(
            "expect",
            as: .revision,
            valueName: "revision",
            help:
                "Write only if the todo is still at this revision, as in 57-1763677123456789: its revision and its micros."
        )
    }
}

extension Option where Value == Visibility? {
    /// Who may see a todo.
    static var visibility: Self {
        Self(
            "visibility",
            as: .choice(of: Visibility.self),
            valueName: "who",
            help: "Who may see it: public, followers or private."
        )
    }
}

extension Todo {
    /// Ids from this length on are made by programs; shorter ones are names that people give, and one may begin another.
    static let longID = 12
}

// What breaks a bound ends with exit code 65.
extension ValueParser where Value == String {
    /// A user's id.
    static var user: Self { Self { try checked($0, TodoBounds.uid) } }

    /// A todo's id.
    static var todoID: Self { Self { try checked($0, TodoBounds.id) } }

    /// An id or words of a todo.
    static var todoName: Self { Self { try checked($0, TodoBounds.content) } }

    /// What to do, in one line.
    static var content: Self {
        var parser = Self { try checked($0, TodoBounds.content) }
        parser.allowsEmpty = true
        return parser
    }

    /// What people react with.
    static var emoji: Self { Self { try checked($0) { text throws(TodoError) in try ReactionEmoji.check(text) } } }

    /// More about it.
    static var detail: Self {
        var parser = Self { try checked($0, TodoBounds.detail) }
        parser.allowsEmpty = true
        return parser
    }
}

/// The text, when the check lets it pass.
private func checked(_ text: String, _ check: (String) throws(TodoError) -> String) throws -> String {
    do throws(TodoError) {
        return try check(text)
    } catch {
        throw CommandError(describing: error)
    }
}

extension ValueParser where Value == ExpectedRevision {
    /// A revision, with its microseconds or alone.
    static var revision: Self {
        Self { text in
            guard let revision = ExpectedRevision(text) else {
                throw InvalidValue(expectation: "a revision and its micros, such as 57-1763677123456789, or a revision")
            }
            return revision
        }
    }
}

extension ValueParser where Value == CalendarDate {
    /// A day, as ``RelativeDay`` reads it.
    static var day: Self {
        Self { text in
            guard let date = RelativeDay.day(text, today: CalendarDate(Date(), in: .current)) else {
                let advice = "'\(text)' is no day: write a real one between 1900-01-01 and 2999-12-31 as "
                throw CommandError(advice + RelativeDay.forms, exitCode: .dataError)
            }
            return date
        }
    }
}

extension Option where Value == TimeChange? {
    /// A todo's time of day.
    static var time: Self {
        Self("time", short: "t", as: .time, valueName: "time", help: "The time of day: 9:30, 21:15, 9am or none.")
    }
}

extension ValueParser where Value == TimeChange {
    /// A time of day, as ``TimeWords`` reads it, or `none`.
    static var time: Self {
        Self { text in
            if text == "none" { return .remove }
            guard let time = TimeWords.time(text.lowercased()) else {
                let advice = "'\(text)' is no time of day: write 9:30, 21:15 or 9am, or none"
                throw CommandError(advice, exitCode: .dataError)
            }
            return .set(time)
        }
    }
}

extension ValueParser where Value == CalendarMonth {
    /// A month: `2026-11`.
    static var month: Self {
        Self { text in
            guard let month = CalendarMonth(text) else {
                throw CommandError("'\(text)' is no month: write it as 2026-11", exitCode: .dataError)
            }
            return month
        }
    }
}
