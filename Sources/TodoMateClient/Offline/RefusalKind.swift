import TodoMate

/// Why a server will not have something, as it is kept.
enum RefusalKind: String {
    case invalid, exists, notFound, conflict, full, leaving, refused, reused, gone, unavailable, broken

    init(_ error: TodoError) {
        self =
            switch error {
            case .invalid: .invalid
            case .exists: .exists
            case .notFound: .notFound
            case .conflict: .conflict
            case .full: .full
            case .leaving: .leaving
            case .refused: .refused
            case .reused: .reused
            case .gone: .gone
            case .unavailable: .unavailable
            case .broken: .broken
            }
    }

    /// The reason of this kind, in these words.
    func error(_ words: String) -> TodoError {
        switch self {
        case .invalid: .invalid(words)
        case .exists: .exists(words)
        case .notFound: .notFound(words)
        case .conflict: .conflict(words, current: nil)
        case .full: .full(words)
        case .leaving: .leaving(words)
        case .refused: .refused(words)
        case .reused: .reused(words)
        case .gone: .gone(words)
        case .unavailable: .unavailable(words)
        case .broken: .broken(words)
        }
    }
}
