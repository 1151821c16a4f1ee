extension String {
    /// The word that was probably meant by this one, or nil when none is close.
    func nearest(in words: some Sequence<String>) -> String? {
        // A third of the letters may be wrong, so that short words do not match everything.
        let limit = Swift.max(1, count / 3)
        let closest = words.map { (word: $0, distance: editDistance(to: $0)) }.min { $0.distance < $1.distance }
        guard let closest, closest.distance <= limit, closest.distance < closest.word.count else { return nil }
        return closest.word
    }

    /// The insertions, deletions, replacements and swaps of neighbours that turn this text into the other.
    func editDistance(to other: String) -> Int {
        let source = Array(self)
        let target = Array(other)
        var beforeLast: [Int] = []
        var last = Array(0...target.count)
        for row in source.indices {
            var current = [row + 1]
            for column in target.indices {
                let replaced = last[column] + (source[row] == target[column] ? 0 : 1)
                var best = Swift.min(replaced, last[column + 1] + 1, current[column] + 1)
                let isSwap =
                    row > 0 && column > 0 && source[row] == target[column - 1] && source[row - 1] == target[column]
                if isSwap { best = Swift.min(best, beforeLast[column - 1] + 1) }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[target.count]
    }
}
