import CommandArguments
import EventLoop
import TerminalUI
import TodoMate
import TodoMateClient

/// An export of one's own from a server: its archive, line by line.
@LoopActor
struct OwnExport {
    let client: TodoClient
    let withProfiles: Bool
    let messages: Terminal
    let isStopped: @LoopActor () -> Bool

    /// Writes all lines.
    func run(into writer: ArchiveWriter) async throws {
        let total = try await client.allowance()[.todos]?.used ?? 0
        var bar = ProgressBar(ProgressLine(label: "export", unit: "todos", total: total), terminal: messages)
        defer { bar.clear() }
        var written = 0
        try await client.archive.read { line in
            if isStopped() { throw CommandError("interrupted: nothing was kept", exitCode: .interrupted) }
            let isTodo = !line.starts(with: #"{"profile""#.utf8) && !line.starts(with: #"{"link""#.utf8)
            guard isTodo || withProfiles else { return true }
            try writer.write(line)
            if isTodo { written += 1 }
            bar.update(written)
            return !writer.isAbandoned
        }
        try writer.finish()
        if written == 0 { messages.write("\(client.uid) has no todos\n") }
    }
}
