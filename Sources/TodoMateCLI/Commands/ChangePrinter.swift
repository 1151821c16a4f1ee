import EventLoop
import Foundation
import TerminalUI
import TodoMate

/// The observer of `todomate worker`: prints one line per change.
///
/// A reader that stalls gets a reset once it continues to read, as after a lost connection.
@LoopActor
final class ChangePrinter: TodoChangeObserver {
    private let prefix: String
    private let asJSON: Bool
    private let output: BackgroundOutput
    /// Users some of whose lines were not printed, because too many were waiting.
    private var behind: Set<String> = []

    /// - Parameter onClosed: called with the reason when the output cannot be written any more.
    init(name: String, asJSON: Bool, onClosed: @escaping @LoopActor (String) -> Void) {
        prefix = name.isEmpty || asJSON ? "" : name + "  "
        self.asJSON = asJSON
        output = BackgroundOutput { reason in Task { await onClosed(reason) } }
    }

    func receive(_ change: TodoChange) {
        print(asJSON ? String(decoding: change.message, as: UTF8.self) : change.line, of: change.uid)
    }

    func todosReset(for uid: String) { print(resetLine(uid), of: uid) }

    /// Returns when all lines have been written, or after `limit`.
    func finish(within limit: Duration) async {
        let (isWritten, end) = AsyncStream.makeStream(of: Void.self)
        let timer = LoopTimer { end.finish() }
        timer.start(after: limit)
        output.afterwards { end.finish() }
        for await _ in isWritten {}
        timer.cancel()
    }

    private func resetLine(_ uid: String) -> String {
        asJSON
            ? JSONObject(["type": "reset", "uid": uid]).text
            : "\(uid)  reset     changes were lost: list the todos again"
    }

    private func print(_ line: String, of uid: String) {
        guard !behind.contains(uid), !output.write(prefix + line + "\n") else { return }
        if behind.isEmpty { output.afterwards { Task { @LoopActor [weak self] in self?.catchUp() } } }
        behind.insert(uid)
    }

    private func catchUp() {
        for uid in behind { _ = output.write(prefix + resetLine(uid) + "\n") }
        behind = []
    }
}
