extension StringProtocol {
    /// The text broken at spaces into lines of at most `width` columns; a longer word keeps a line of its own.
    public func wrapped(toWidth width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let line = lines.last, line.displayWidth + 1 + word.displayWidth <= width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// The text broken into lines of at most `width` columns: at spaces, and within words that are wider than a line.
    public func folded(toWidth width: Int) -> [String] {
        wrapped(toWidth: width).flatMap { line in
            var parts = [""]
            var used = 0
            for character in line {
                let columns = character.displayWidth
                if used + columns > width, used > 0 {
                    parts.append("")
                    used = 0
                }
                parts[parts.count - 1].append(character)
                used += columns
            }
            return parts
        }
    }
}
