import Foundation
import HTTPServing
import TodoMate
import Transfers

/// A mail as it travels: plain text of any language, in lines that every server takes (RFC 5322, RFC 2045).
///
/// Whatever is put into a header is either an address, which ``MailAddressRule`` has let pass, or written as encoded words.
struct MailMessage: Sendable {
    private static let lineEnd = "\r\n"
    /// An encoded word has at most 75 characters, 12 of which say how it is encoded.
    private static let bytesInWord = 45

    let sender: MailSettings
    let recipient: String
    let subject: String
    let body: String
    /// The same at each attempt: a server that has taken it before, and whose answer was lost, may know it by that.
    private let id = RandomID.next()

    /// The bytes, to be sent at a time.
    func bytes(at seconds: Int = time(nil)) -> [UInt8] {
        var date = HTTPDate()
        let day = date.text(seconds).replacing("GMT", with: "+0000")
        let from = sender.name.map { "\(Self.phrase($0)) <\(sender.address)>" } ?? sender.address
        let headers = [
            "Date: \(day)", "From: \(from)", "To: \(recipient)", "Subject: \(Self.encoded(subject))",
            "Message-ID: <\(id)@\(sender.server.name)>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
            // Nobody's holiday answers it (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
        let text = Data(body.replacing("\n", with: Self.lineEnd).utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
        return Array((headers + ["", text, ""]).joined(separator: Self.lineEnd).utf8)
    }

    /// A name in front of an address: quoted, where it is not encoded.
    private static func phrase(_ name: String) -> String {
        guard isPlain(name) else { return encoded(name) }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// A text as it may stand in a header: as it is where it is short and plain, else as encoded words (RFC 2047).
    static func encoded(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        var words: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            // Never a line of its own, whatever reads it.
            let bytes = character.value < 0x20 || character.value == 0x7F ? [0x20] : Array(String(character).utf8)
            if words[words.count - 1].count + bytes.count > bytesInWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: lineEnd + " ")
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= bytesInWord + 15 && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            && !text.contains("=?")
    }
}
