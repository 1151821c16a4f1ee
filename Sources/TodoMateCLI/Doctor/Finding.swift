/// The result of a check, and what to do about it.
struct Finding: Sendable, Equatable, Encodable {
    /// How much it matters.
    enum Severity: String, Sendable, Encodable, Comparable {
        /// All is well.
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// It works, but may fail one day.
        case warning
        /// Todos are lost, wrong or unreachable, or soon will be.
        case error

        /// Lesser ones come first.
        static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .note: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// What was checked, in a word.
    let topic: String
    let severity: Severity
    /// What was found.
    let message: String
    /// What to do about it; nil when there is nothing to do.
    let advice: String?

    /// A finding that all is well.
    static func ok(_ topic: String, _ message: String) -> Finding {
        Finding(topic: topic, severity: .ok, message: message, advice: nil)
    }

    /// A finding that is worth knowing.
    static func note(_ topic: String, _ message: String, _ advice: String? = nil) -> Finding {
        Finding(topic: topic, severity: .note, message: message, advice: advice)
    }

    /// A finding that may become an error.
    static func warning(_ topic: String, _ message: String, _ advice: String) -> Finding {
        Finding(topic: topic, severity: .warning, message: message, advice: advice)
    }

    /// A finding that must be corrected.
    static func error(_ topic: String, _ message: String, _ advice: String) -> Finding {
        Finding(topic: topic, severity: .error, message: message, advice: advice)
    }
}
