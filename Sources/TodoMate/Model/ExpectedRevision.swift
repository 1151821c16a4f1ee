/// The revision that a todo must still have for a write: `57-1763677123456789`, the id of the change that made it.
///
/// A revision alone, `57`, may be that of another history: a Redis that lost its latest changes assigns it a second time. With
/// the microseconds it names one write, as a ``ChangeID`` does.
public struct ExpectedRevision: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// The todo's ``Todo/revision``.
    public let number: Int
    /// The todo's ``Todo/micros``; nil for those of any history.
    public let micros: Int?

    /// A revision, of one history or of any.
    public init(_ number: Int, micros: Int? = nil) {
        self.number = number
        self.micros = micros
    }

    /// A revision of any history.
    public init(integerLiteral number: Int) { self.init(number) }

    /// Reads `57-1763677123456789` or `57`; nil for any other text.
    public init?(_ text: String) {
        if let id = ChangeID(text) {
            self.init(id.version, micros: id.microseconds)
        } else if let id = ChangeID("\(text)-0") {
            self.init(id.version)
        } else {
            return nil
        }
    }

    /// The form that ``init(_:)`` reads.
    public var description: String {
        micros.map { ChangeID(version: number, microseconds: $0).description } ?? String(number)
    }

    /// Whether a todo is still at it.
    package func matches(_ todo: Todo) -> Bool { number == todo.revision && (micros ?? todo.micros) == todo.micros }
}

extension Todo {
    /// The todo's revision, for a write that must not overwrite another one.
    public var written: ExpectedRevision { ExpectedRevision(revision, micros: micros) }
}
