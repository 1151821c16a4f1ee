import Foundation
import TodoMate

/// What a link carries that lets somebody in: whose it is, and a secret that nothing stores. `alice.` and 32 characters.
///
/// Redis holds only a digest of the secret, under which it is looked up. A link has the code behind its `#`, which browsers
/// send to no server; a form sends it in the body of a request, so that no log of paths holds it.
package struct LinkCode: Sendable {
    /// What a link is for; one for the one purpose is nothing for the other.
    package enum Purpose: String, Sendable {
        case join, reset, mail
    }

    private static let secretBytes = 24
    private static let secretLength = 32

    /// Whose it is.
    package let uid: String
    private let secret: String

    /// A code with a new secret of 192 bits, whose digests begin with a letter: no dash, which a command line would take for an
    /// option. The secret itself ends with none, which programs that find links in a text leave out.
    package init(of uid: String, for purpose: Purpose) {
        var code: LinkCode
        repeat {
            code = LinkCode(uid: uid, checked: Base64URL.encode(Sodium.random(Self.secretBytes)))
        } while code.digest(for: purpose).first?.isLetter != true || code.secret.last?.isLetter != true
        self = code
    }

    /// The code of a user and a secret; nil where those cannot be any.
    init?(uid: String, secret: String) {
        guard (try? TodoBounds.uid(uid)) != nil, secret.utf8.count == Self.secretLength,
            Base64URL.decode(secret) != nil
        else { return nil }
        self.init(uid: uid, checked: secret)
    }

    /// The code in a text; nil for any other text.
    init?(_ text: String) {
        // A user's name may have dots, a secret has none.
        guard text.utf8.count <= 128, let dot = text.lastIndex(of: ".") else { return nil }
        self.init(uid: String(text[..<dot]), secret: String(text[text.index(after: dot)...]))
    }

    private init(uid: String, checked secret: String) { (self.uid, self.secret) = (uid, secret) }

    /// The code as a text: a secret, to be shown only to those who are to have it.
    package var text: String { "\(uid).\(secret)" }

    /// What is stored of it: 22 characters of base64url, from which the secret cannot be had.
    package func digest(for purpose: Purpose) -> String {
        Base64URL.encode(Sodium.digest(Array("todomate:\(purpose.rawValue):\(text)".utf8)))
    }

    /// The link for a browser.
    ///
    /// - Parameters:
    ///   - purpose: what for.
    ///   - server: where the page is, such as `https://todo.example`.
    package func link(for purpose: Purpose, at server: String) -> String {
        "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/#\(purpose.rawValue)=\(text)"
    }
}
