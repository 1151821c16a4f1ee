/// One thing that the doctor looked at, and what to do about it.
struct Finding: Sendable, Equatable, Encodable {
    /// How much it matters.
    enum Severity: String, Sendable, Encodable, Comparable {
        /// As it should be.
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// It works, and something may go wrong one day.
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

    /// What was looked at, in a word.
    let topic: String
    let severity: Severity
    /// What is so.
    let message: String
    /// What to do about it; nil when there is nothing to do.
    let advice: String?

    /// A thing that is as it should be, or worth knowing.
    static func ok(_ topic: String, _ message: String) -> Finding {
        Finding(topic: topic, severity: .ok, message: message, advice: nil)
    }

    /// A thing that is worth knowing.
    static func note(_ topic: String, _ message: String, _ advice: String? = nil) -> Finding {
        Finding(topic: topic, severity: .note, message: message, advice: advice)
    }

    /// A thing that may go wrong.
    static func warning(_ topic: String, _ message: String, _ advice: String) -> Finding {
        Finding(topic: topic, severity: .warning, message: message, advice: advice)
    }

    /// A thing that is wrong.
    static func error(_ topic: String, _ message: String, _ advice: String) -> Finding {
        Finding(topic: topic, severity: .error, message: message, advice: advice)
    }
}
