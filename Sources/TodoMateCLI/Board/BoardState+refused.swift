extension BoardState {
    /// Keeps what was typed and refused: it can be sent again, or thrown away.
    mutating func keepRefused(_ prompt: BoardPrompt) {
        refused.append(prompt)
        switch mode {
        case .board: offerRefused()
        // It hides what there is to say, which would be old once it showed.
        case .prompt: break
        case .page, .past, .unsent, .found: notice = prompt.problem
        }
    }

    /// Offers the first of what was refused, unless something else has the keys.
    mutating func offerRefused() {
        guard mode == .board, let prompt = refused.first else { return }
        refused.removeFirst()
        mode = .prompt(prompt)
        if notice == prompt.problem { notice = nil }
    }
}
