import CommandArguments
import EventLoop
import TerminalUI
import TodoMate

/// The writing part of an import: lines go out in batches of one user each, several batches at a time.
struct Import {
    /// The options of an import.
    struct Options: Sendable {
        @Option(
            "user",
            short: "u",
            as: .user,
            valueName: "user",
            help: "Import only this user's lines."
        )
        var user: String?
        @Flag("dry-run", short: "n", help: "Only check the lines, without Redis.") var isDryRun: Bool
        @Flag("keep-going", short: "k", help: "Skip refused lines and import the others.") var keepsGoing: Bool
        @Flag(
            "replace",
            help: "Replace another todo with the same id, and an account's goals; otherwise such a line is refused."
        )
        var replaces: Bool
        @Option(
            "from",
            as: .integer(in: 1 ... .max),
            default: 1,
            valueName: "line",
            help: "Begin with this line, after an import that was interrupted."
        )
        var firstLine: Int

        /// Whether there is something to read in this line.
        func wants(_ line: LineReader.Line) -> Bool { line.number >= firstLine && line.bytes?.isEmpty != true }
    }

    private struct Counts {
        var added = 0
        var replaced = 0
        var unchanged = 0
        var refused = 0
        var all: Int { added + replaced + unchanged + refused }
    }

    /// Batches under way at a time: enough that Redis never waits for the next one.
    private static let window = 8
    /// Lines that wait for their batch to be full, of all users together.
    private static let mostWaiting = 20_000

    private let archive: any ImportTarget
    private let source: ImportSource
    private let options: Options
    private let messages: Terminal
    private let isStopped: @Sendable () async -> Bool
    private var bar: ProgressBar
    private var waiting: [String: ImportBatch] = [:]
    private var waitingCount = 0
    private var underWay: [(batch: ImportBatch, task: Task<ImportBatch.Answer, Never>)] = []
    private var counts: Counts
    /// Users whose pairs with others have to be settled once both sides are in.
    private var linked: Set<String> = []
    /// The last line that is among those that wait, or was sent.
    private var position = 0

    init(
        archive: any ImportTarget,
        source: ImportSource,
        options: Options,
        checked: ImportCheck.Outcome,
        messages: Terminal,
        isStopped: @escaping @Sendable () async -> Bool
    ) {
        self.archive = archive
        self.source = source
        self.options = options
        self.messages = messages
        self.isStopped = isStopped
        counts = Counts(refused: checked.refused)
        bar = ProgressBar(
            ProgressLine(label: "import", unit: "lines", total: checked.good + checked.refused),
            terminal: messages
        )
    }

    /// The message about a line that was refused.
    static func refusal(_ number: Int, _ reason: String) -> String {
        "line \(number): \(reason.sanitized())\n"
    }

    /// Writes all lines that pass the check.
    mutating func run() async throws -> ExitCode {
        defer { bar.clear() }
        var lines = source.lines(longest: ArchiveLine.longest)
        while let line = try lines.next() {
            // The check has reported lines that are not valid.
            guard options.wants(line), let bytes = line.bytes, let content = try? ArchiveLine(bytes),
                options.user == nil || content.uid == options.user
            else { continue }
            try await take(bytes, content, line.number)
        }
        try await sendAll()
        while !underWay.isEmpty {
            if await isStopped() { try await interrupt() }
            try await settleOldest()
        }
        for uid in linked.sorted() { try await archive.settle(uid) }
        bar.clear()
        messages.write(summary)
        let leftOut = await archive.leftOut
        if leftOut > 0 {
            messages.write(
                "left out, as others decide about it: \(leftOut.grouped) followers, requests and reactions\n"
            )
        }
        return counts.refused == 0 ? .ok : .dataError
    }

    private mutating func take(_ bytes: [UInt8], _ content: ArchiveLine, _ number: Int) async throws {
        let uid = content.uid
        switch content {
        case .profile(_, let fields):
            try await send(ImportBatch(uid: uid, lines: [], numbers: [number], profile: fields))
            return position = number
        case .link(let link):
            // What was reacted to is to be there first.
            if waiting[uid]?.lines.isEmpty == false { try await send(waitingOf: uid) }
            waiting[uid, default: ImportBatch(uid: uid)].links.append(link)
            linked.insert(uid)
        case .todo:
            if waiting[uid]?.links.isEmpty == false { try await send(waitingOf: uid) }
            waiting[uid, default: ImportBatch(uid: uid)].lines.append(bytes)
        }
        waiting[uid]?.numbers.append(number)
        waitingCount += 1
        position = number
        if waiting[uid]?.numbers.count == ArchiveOutcome.mostAtOnce {
            try await send(waitingOf: uid)
        } else if waitingCount >= Self.mostWaiting {
            try await sendAll()
        }
    }

    private mutating func sendAll() async throws {
        for batch in waiting.values.sorted(by: { $0.firstLine < $1.firstLine }) { try await send(waitingOf: batch.uid) }
    }

    private mutating func send(waitingOf uid: String) async throws {
        // A node of a cluster may have some sent again, and then later than others: what was reacted to is to be there for certain.
        if waiting[uid]?.links.isEmpty == false {
            while underWay.contains(where: { $0.batch.uid == uid && !$0.batch.lines.isEmpty }) {
                try await settleOldest()
            }
        }
        try await makeRoom()
        // Only now: lines that still wait when the import stops are among those to continue with.
        guard let batch = waiting.removeValue(forKey: uid) else { return }
        waitingCount -= batch.numbers.count
        try await send(batch)
    }

    private mutating func makeRoom() async throws {
        if underWay.count == Self.window { try await settleOldest() }
    }

    private mutating func send(_ batch: ImportBatch) async throws {
        try await makeRoom()
        underWay.append((batch, batch.task(in: archive, replacing: options.replaces)))
        if await isStopped() { try await interrupt() }
    }

    private mutating func interrupt(from line: Int = .max) async throws {
        try await giveUp(CommandError("interrupted", exitCode: .interrupted), from: line)
    }

    /// Waits for the batch that was sent first and counts what became of its lines.
    private mutating func settleOldest() async throws {
        let answer = await underWay.removeFirst().task.value
        switch answer.result {
        case .failure(let error):
            // What was waited for fails when the waiting is ended.
            if await isStopped() { try await interrupt(from: answer.batch.firstLine) }
            try await giveUp(CommandError(describing: error), from: answer.batch.firstLine)
        case .success(let outcomes):
            let refused = count(outcomes, of: answer.batch)
            bar.update(counts.all)
            guard let refused, !options.keepsGoing else { return }
            let advice = "leave refused lines out with --keep-going, or let the file win with --replace"
            try await giveUp(
                CommandError("line \(refused) was refused: \(advice)", exitCode: .dataError),
                from: refused
            )
        }
    }

    /// Counts the results of a batch's lines, reports the refused ones, and returns the first of them.
    private mutating func count(_ outcomes: [ArchiveOutcome], of batch: ImportBatch) -> Int? {
        var refused: Int?
        for (number, outcome) in zip(batch.numbers, outcomes) {
            switch outcome {
            case .added: counts.added += 1
            case .replaced: counts.replaced += 1
            case .unchanged: counts.unchanged += 1
            case .refused(let reason):
                counts.refused += 1
                refused = refused ?? number
                bar.clear()
                messages.write(Self.refusal(number, reason))
            }
        }
        return refused
    }

    /// Ends the import after the batches in progress, and says where to continue.
    private mutating func giveUp(_ error: CommandError, from line: Int) async throws {
        var first = waiting.values.reduce(min(line, position + 1)) { min($0, $1.firstLine) }
        for (_, task) in underWay {
            let answer = await task.value
            switch answer.result {
            case .failure: first = min(first, answer.batch.firstLine)
            case .success(let outcomes):
                // Each was reported, which is all that --keep-going asks for.
                if let refused = count(outcomes, of: answer.batch), !options.keepsGoing { first = min(first, refused) }
            }
        }
        underWay = []
        bar.clear()
        let place =
            first > options.firstLine
            ? "all lines before \(first) are done: continue with --from \(first)"
            : "no line is done for certain: continue with --from \(first)"
        throw CommandError("\(error.message); \(place)", exitCode: error.exitCode)
    }

    private var summary: String {
        let parts = [
            (counts.added, "added"), (counts.replaced, "replaced"), (counts.unchanged, "unchanged"),
            (counts.refused, "refused"),
        ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        guard !parts.isEmpty else { return "nothing to import\n" }
        return "\(parts.joined(separator: ", ")) in \(ProgressLine.time(bar.elapsed / .seconds(1)))\n"
    }
}
