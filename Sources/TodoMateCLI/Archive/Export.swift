import CommandArguments
import EventLoop
import Foundation
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// One export under way: reads users, a group of small ones at a time and large ones by pages, and writes their lines.
struct Export {
    let archive: RedisArchive
    let writer: ArchiveWriter
    let withProfiles: Bool
    let messages: Terminal
    let isStopped: @Sendable () async -> Bool

    /// The number of users that are counted at a time.
    private static let countsAtOnce = 1000
    private var broken = 0
    private var written = 0
    /// The todos of each user that have reactions.
    private var reacted: [String: [String]] = [:]

    init(
        archive: RedisArchive,
        writer: ArchiveWriter,
        withProfiles: Bool,
        messages: Terminal,
        isStopped: @escaping @Sendable () async -> Bool
    ) {
        self.archive = archive
        self.writer = writer
        self.withProfiles = withProfiles
        self.messages = messages
        self.isStopped = isStopped
    }

    /// Writes all lines of these users; without any, of all that there are.
    mutating func run(_ named: [String]) async throws -> ExitCode {
        let users = named.isEmpty ? try await archive.users(withProfiles: withProfiles) : named
        if withProfiles { reacted = try await archive.reactedTodos() }
        var counts: [Int] = []
        for first in stride(from: 0, to: users.count, by: Self.countsAtOnce) {
            counts += try await archive.counts(of: users[first..<min(first + Self.countsAtOnce, users.count)])
        }
        for (uid, count) in zip(named, counts) where count == 0 {
            messages.write("\(uid) has no todos; a file to write into is named with --output\n")
        }
        var bar = ProgressBar(
            ProgressLine(label: "export", unit: "todos", total: counts.reduce(0, +)),
            terminal: messages
        )
        defer { bar.clear() }
        var next = 0
        while next < users.count, !writer.isAbandoned {
            if await isStopped() { throw CommandError("interrupted: nothing was kept", exitCode: .interrupted) }
            if counts[next] > RedisArchive.atOnce {
                try await writeLarge(users[next], &bar)
                next += 1
            } else {
                var (end, sum) = (next, 0)
                while end < users.count, end - next < 100, sum + counts[end] <= RedisArchive.atOnce {
                    sum += counts[end]
                    end += 1
                }
                try await writeSmall(users[next..<end], &bar)
                next = end
            }
        }
        try writer.finish()
        return broken == 0 ? .ok : .dataError
    }

    private mutating func writeSmall(_ users: ArraySlice<String>, _ bar: inout ProgressBar) async throws {
        for (uid, values) in zip(users, try await archive.todos(of: users)) {
            try await writeProfile(of: uid)
            var todos = read(values, of: uid, &bar)
            todos.sort { Todo.isInListOrder($0.todo, $1.todo) }
            try write(todos, &bar)
            try await writeLinks(of: uid)
        }
    }

    private mutating func writeLarge(_ uid: String, _ bar: inout ProgressBar) async throws {
        try await writeProfile(of: uid)
        let pages = await archive.pages(of: uid)
        while !writer.isAbandoned, let page = try await pages.next() {
            try write(read(page.map(\.value), of: uid, &bar), &bar)
            if await isStopped() { throw CommandError("interrupted: nothing was kept", exitCode: .interrupted) }
        }
        try await writeLinks(of: uid)
    }

    /// After the todos: reactions need theirs.
    private func writeLinks(of uid: String) async throws {
        guard withProfiles else { return }
        for list in ArchiveLink.List.allCases where list != .reactions { try await writeLinks(of: uid, in: list) }
        for todo in Set(reacted[uid] ?? []).sorted() { try await writeLinks(of: uid, in: .reactions, todo: todo) }
    }

    private func writeLinks(of uid: String, in list: ArchiveLink.List, todo: String? = nil) async throws {
        let pages = await archive.links(of: uid, in: list, todo: todo)
        while !writer.isAbandoned, let links = try await pages.next() {
            for link in links { try writer.write(ArchiveLine.text(of: link).utf8) }
            if await isStopped() { throw CommandError("interrupted: nothing was kept", exitCode: .interrupted) }
        }
    }

    private func writeProfile(of uid: String) async throws {
        guard withProfiles, case let fields = try await archive.profile(of: uid), !fields.isEmpty else { return }
        try writer.write(ArchiveLine.text(ofProfile: fields, of: uid).utf8)
    }

    private mutating func write(_ todos: [StoredTodo], _ bar: inout ProgressBar) throws {
        for todo in todos { try writer.write(todo.json) }
        written += todos.count
        bar.update(written)
    }

    private mutating func read(_ values: [[UInt8]], of uid: String, _ bar: inout ProgressBar) -> [StoredTodo] {
        values.compactMap { value in
            if let todo = StoredTodo(value, id: nil, uid: uid) { return todo }
            broken += 1
            bar.clear()
            let start = String(decoding: value.prefix(60), as: UTF8.self).sanitized()
            messages.write("todomate export: \(uid) has a todo that cannot be read, left out: \(start)\n")
            return nil
        }
    }
}
