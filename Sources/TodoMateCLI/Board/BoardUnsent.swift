import TerminalUI
import TodoMate
import TodoMateClient

/// What was done here and the server does not have, in place of the board; one of the changes has the keys.
struct BoardUnsent: Equatable {
    private(set) var selected = 0

    /// The change that has the keys.
    func change(_ content: BoardContent) -> PendingChange? {
        content.unsent.isEmpty ? nil : content.unsent[min(selected, content.unsent.count - 1)]
    }

    /// Walks through the changes.
    mutating func walk(by count: Int, _ content: BoardContent) {
        selected = min(selected, max(content.unsent.count - 1, 0)).walked(by: count, of: content.unsent.count)
    }

    /// Title, changes, and all of the one with the keys, in at most `height` lines.
    func lines(width: Int, height: Int, _ content: BoardContent, _ language: BoardLanguage) -> [ScreenLine] {
        let words = language.words
        var lines = [ScreenLine(words.unsentTitle.truncated(toWidth: width), .bold, .here)]
        guard let change = change(content) else {
            return lines + [ScreenLine(words.nothingUnsent.truncated(toWidth: width), .dim)]
        }
        let about = details(change, width: width, content, language)
        let room = max(height - 1, 1)
        let listRoom = min(content.unsent.count, max(room / 2, room - about.count - 1))
        lines += rows(width: width, height: listRoom, content, language)
        let rest = height - lines.count - 1
        if rest > 0 {
            lines.append(ScreenLine(String(repeating: "─", count: width), .dim))
            lines += about.prefix(rest)
        }
        return lines
    }

    private func rows(
        width: Int,
        height: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        let here = min(selected, content.unsent.count - 1)
        let first = min(max(here - height / 2, 0), max(content.unsent.count - height, 0))
        return content.unsent.indices.dropFirst(first).prefix(height).map { index in
            let change = content.unsent[index]
            let held: [TextStyle] = index == here ? [.reverse] : []
            var line = ScreenLine()
            if index == here {
                line.add(String(repeating: " ", count: width), at: 0, held)
                line.add("▸", at: 0, held + [.bold])
            }
            let state = language.words.unsent(change.state)
            line.add(state.truncated(toWidth: width - 2), at: 2, held + (change.isRefused ? [.trouble] : [.dim]))
            let column = state.displayWidth + 4
            if column < width {
                let text = "\(language.words.done(change.kind)) “\(change.todo.name)”".truncated(
                    toWidth: width - column
                )
                line.add(text, at: column, held)
            }
            return line
        }
    }

    private func details(
        _ change: PendingChange,
        width: Int,
        _ content: BoardContent,
        _ language: BoardLanguage
    ) -> [ScreenLine] {
        var reason: [ScreenLine] = []
        if case .refused(let error) = change.state {
            reason = language.words.whyRefused(error, change.kind).sanitized().folded(toWidth: width).map {
                ScreenLine($0, .bold, .trouble)
            }
        }
        let todo = change.todo
        let facts = [
            language.words.status(todo.status), language.name(todo.date, today: content.today),
            todo.time?.description ?? "", language.words.visibility(todo.visibility),
        ].filter { !$0.isEmpty }
        var status = ScreenLine()
        status.add(todo.status.mark, at: 0, todo.status.markStyles)
        status.add(facts.joined(separator: " · ").truncated(toWidth: width - 2), at: 2)
        let detail = todo.detail.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            String($0).sanitized().folded(toWidth: width)
        }
        return reason + todo.name.folded(toWidth: width).map { ScreenLine($0, .bold) } + [status]
            + detail.map { ScreenLine($0) }
    }
}

extension BoardState {
    /// Obeys a key while it is shown what waits.
    mutating func turn(_ unsent: BoardUnsent, _ command: BoardCommand, _ content: BoardContent) -> [BoardEffect] {
        if let stride = command.stride {
            var unsent = unsent
            unsent.walk(by: stride, content)
            mode = .unsent(unsent)
            return []
        }
        switch command {
        case .leave, .help, .quit, .unsent: mode = .board
        case .open:
            guard let change = unsent.change(content), change.isRefused else { return [.hurry] }
            return [.retry(change)]
        case .delete:
            guard let change = unsent.change(content) else { return [] }
            guard change.isRefused else {
                notice = .stillSent(change.todo.name)
                return []
            }
            notice = .discarded(change.todo.name)
            return [.discard(change)]
        default: break
        }
        return []
    }
}
