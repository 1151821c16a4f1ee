/// A claim of a token, as far as this server reads claims.
enum ClaimValue: Sendable, Equatable, Decodable {
    case text(String)
    case texts([String])
    case number(Double)
    case boolean(Bool)
    /// Anything else, such as an address in parts.
    case other

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let texts = try? value.decode([String].self) {
            self = .texts(texts)
        } else {
            self = .other
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// Its texts, one or many.
    var texts: Set<String> {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): Set(texts)
        case .boolean(let flag): ["\(flag)"]
        default: []
        }
    }
}
