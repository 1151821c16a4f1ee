import HTTPServing
import TodoMate

/// What a mail is written in.
enum MailLanguage: String, Sendable {
    case english = "en"
    case korean = "ko"

    /// The account's language; where it has chosen none, that of the browser that asks.
    init(of account: Preferences, or request: HTTPRequest) { self.init(of: account, or: Self.wanted(by: request)) }

    init(of account: Preferences, or wanted: MailLanguage) {
        self = account.language.flatMap(MailLanguage.init) ?? wanted
    }

    /// What a browser wants most.
    static func wanted(by request: HTTPRequest) -> MailLanguage {
        request.headers["accept-language"]?.lowercased().hasPrefix("ko") == true ? .korean : .english
    }
}
