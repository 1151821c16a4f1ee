import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate announce`
struct AnnounceCommand: Command {
    static let about = CommandDescription(
        name: "announce",
        summary:
            "Show something to everybody, in the page and in the terminal, until its time is over; or show what is announced.",
        discussion:
            "It shows at once in every open page and board, without a reload, and at the door to those who sign in. People can take it "
            + "away for themselves. There is one announcement at a time: another one takes its place. It is one line of plain text, "
            + "of at most \(Announcement.mostOfText) characters.",
        examples: [
            .init("todomate announce \"Maintenance tonight from 22:00 to 22:30 UTC.\" --hours 8 --level warning"),
            .init("todomate announce \"We moved.\" --ko \"이사했습니다.\" --until 2026-12-01T00:00:00Z"),
            .init("todomate announce --end"), .init("todomate announce", "What is announced."),
        ]
    )

    /// How long it shows unless that is said.
    private static let hours = 24

    @Positional(optional: "text", as: .textOrEmpty, help: "What to say; nothing shows what is announced.")
    private var text: String?
    @Option("ko", as: .textOrEmpty, valueName: "text", help: "The same in Korean, for those who read Korean.")
    private var korean: String?
    @Option("hours", as: .integer(in: 1...720), valueName: "number", help: "For how long; 24 unless --until is given.")
    private var hours: Int?
    @Option("until", as: .instant, valueName: "time", help: "Until when, such as 2026-12-01T09:00:00Z.")
    private var until: Int?
    @Option(
        "level",
        as: .choice(of: Announcement.Level.self),
        default: .info,
        valueName: "level",
        help: "How urgent it is."
    )
    private var level: Announcement.Level
    @Flag("end", help: "Take the announcement away.") private var isEnd: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        guard !isEnd || text == nil, hours == nil || until == nil else {
            throw CommandError.usage("give a text or --end, and of --hours and --until one at most")
        }
        try await redis.place().withRepository { try await run($0) }
        return .ok
    }

    @LoopActor
    private func run(_ repository: RedisTodoRepository) async throws {
        guard !isEnd else {
            let wasThere = try await repository.announcements.endAnnouncement()
            if wasThere { Logger.account.info("announcement ended") }
            let listeners = await tell(repository)
            try StandardOutput.write(wasThere ? "It is taken away\(listeners).\n" : "Nothing was announced.\n")
            return
        }
        guard let text else {
            let stored = try await repository.announcements.announcement()
            try StandardOutput.write(stored.flatMap(Self.line) ?? "Nothing is announced.\n")
            return
        }
        let end = until ?? Int(Date().timeIntervalSince1970) + (hours ?? Self.hours) * 3600
        let announcement = try Announcement(text: text, korean: korean, level: level, until: end)
        try await repository.announcements.announce(announcement)
        Logger.account.info("announced", ["announcement": announcement.id, "level": level.rawValue])
        let listeners = await tell(repository)
        try StandardOutput.write("It shows until \(Time.text(end))\(listeners).\n")
    }

    /// Tells all workers and boards.
    ///
    /// - Returns: how many there are, in words; they look from time to time where they cannot be told.
    @LoopActor
    private func tell(_ repository: RedisTodoRepository) async -> String {
        let subject = SharedSubject<AnnouncementNews>("workers", over: repository)
        let news = AnnouncementNews(worker: RandomID.next())
        guard let count = try? await subject.post(news, to: AnnouncementNews.topic) else {
            return "; workers could not be told, and look within half a minute"
        }
        return ", told to \(count) worker\(count == 1 ? "" : "s") and boards"
    }

    private static func line(_ announcement: Announcement) -> String? {
        guard announcement.isCurrent(at: Date()), (try? announcement.check()) != nil else { return nil }
        let texts = [announcement.text, announcement.korean].compactMap { $0?.sanitized() }
        return
            "\(announcement.level.rawValue)  until \(Time.text(announcement.until))  \(texts.joined(separator: "  "))\n"
    }
}

extension ValueParser where Value == Int {
    /// A moment, in seconds since 1970.
    fileprivate static var instant: Self {
        Self { text in
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw InvalidValue(expectation: "a time such as 2026-12-01T09:00:00Z")
            }
            return Int(date.timeIntervalSince1970)
        }
    }
}
