import EventLoop
import Foundation
import TodoMate

/// The observer of `todomate worker`: prints what it is told, one line each.
@LoopActor
final class ChangePrinter: TodoObserver {
    private let prefix: String
    private let asJSON: Bool
    private let output = Terminal(environment: [:])
    private let onClosed: () -> Void

    /// - Parameter onClosed: called when nobody reads the output any more.
    init(name: String, asJSON: Bool, onClosed: @escaping () -> Void) {
        prefix = name.isEmpty || asJSON ? "" : name + "  "
        self.asJSON = asJSON
        self.onClosed = onClosed
    }

    func receive(_ change: TodoChange) {
        print(asJSON ? String(decoding: change.message, as: UTF8.self) : change.line)
    }

    func todosReset(for uid: String) {
        print(
            asJSON
                ? "{\"type\":\"reset\",\"uid\":\"\(uid)\"}"
                : "\(uid)  reset     changes were lost: list the todos again"
        )
    }

    // `receive` takes every change.
    func todoAdded(_ todo: Todo) {}
    func todoModified(_ todo: Todo) {}
    func todoRemoved(_ todo: Todo) {}

    private func print(_ line: String) {
        if !output.write(prefix + line + "\n") { onClosed() }
    }
}
