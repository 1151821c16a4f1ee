import EventLoop
import Foundation
import TestServers
import Testing

/// A terminal that somebody sits at: a pane of a tmux server of the test's own.
struct TerminalPane: Sendable {
    private let socket: String

    fileprivate init(socket: String) { self.socket = socket }

    /// Runs a tmux command on the pane and returns what it prints.
    @discardableResult
    func tmux(_ arguments: String...) async throws -> String {
        let outcome = try await Program.run("tmux", Self.options(socket) + arguments)
        #expect(outcome.ending == .exit(0), "tmux \(arguments): \(outcome.errors)")
        return outcome.output
    }

    fileprivate static func options(_ socket: String) -> [String] { ["-u", "-S", socket, "-f", "/dev/null"] }

    /// What the terminal shows.
    func screen() async throws -> String { try await tmux("capture-pane", "-p") }

    /// What it shows, with the sequences for colours and weights.
    func styledScreen() async throws -> String { try await tmux("capture-pane", "-p", "-e") }

    /// Presses keys, named as in tmux: `j`, `Enter`, `C-c`, `Space`.
    func press(_ keys: String...) async throws {
        for key in keys { try await tmux("send-keys", key) }
    }

    /// Types a text.
    func type(_ text: String) async throws { try await tmux("send-keys", "-l", text) }

    /// Pastes a text as a terminal's clipboard does.
    func paste(_ text: String) async throws {
        try await tmux("set-buffer", text)
        try await tmux("paste-buffer", "-p")
    }

    /// What tmux knows of the terminal, such as `#{cursor_x}`.
    func state(_ format: String) async throws -> String {
        try await tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
    }

    /// Waits until the screen shows a text.
    func shows(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await shows("\"\(text)\"", sourceLocation: sourceLocation) { $0.contains(text) }
    }

    /// Waits until the screen is as it should be.
    func shows(
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: (String) -> Bool
    ) async throws {
        var (last, isShown) = ("", false)
        try await eventually("the screen shows \(what)", sourceLocation: sourceLocation) {
            last = try await screen()
            isShown = condition(last)
            return isShown
        }
        guard !isShown else { return }
        // In one line, as lines of other groups may come between several.
        Issue.record("the screen: \(last.split(separator: "\n"))", sourceLocation: sourceLocation)
    }
}

/// Runs `body` with a terminal in which a shell command runs.
@LoopActor
func withTerminal(
    _ command: String,
    columns: Int = 80,
    rows: Int = 24,
    environment: [String: String] = [:],
    body: @LoopActor (TerminalPane) async throws -> Void
) async throws {
    let socket = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID().uuidString.prefix(8))").path
    let server = try RunningProgram("tmux", TerminalPane.options(socket) + ["-D"])
    do {
        try await eventually("tmux listens") { FileManager.default.fileExists(atPath: socket) }
        let pane = TerminalPane(socket: socket)
        // What the test itself runs in must not decide: neither its language nor its wish for colours.
        let usual = ["LANG": "C.UTF-8", "LC_ALL": "", "NO_COLOR": "", "COLORTERM": "", "SWIFT_BACKTRACE": "enable=no"]
        let variables = usual.merging(environment) { $1 }.flatMap { ["-e", "\($0)=\($1)"] }
        _ = try await Program.run(
            "tmux",
            TerminalPane.options(socket) + ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + variables + [
                command
            ]
        )
        try await body(pane)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
    try? FileManager.default.removeItem(atPath: socket)
}

/// The command line of the built program, for a shell.
func todomate(_ arguments: String, on server: any TestRedis) -> String {
    "\(Program.builtPrograms.path)/todomate \(arguments) --redis \(server.address)"
}
