import CCurl
import EventLoop
import Foundation

/// A server that takes mail by SMTP (RFC 5321); libcurl speaks to it.
///
/// Each mail is sent on a thread of its own: libcurl waits for what such a server says to a whole mail, and to the goodbye, without
/// giving the loop back.
package struct MailServer: Sendable, Equatable {
    /// `smtp://` or `smtps://`, with a host and perhaps a port.
    package var url: String
    /// What this end calls itself.
    package var name = "localhost"
    /// Nil for a server that asks for none.
    package var credentials: Credentials?
    /// Whether nothing is said before TLS: by STARTTLS where the URL is `smtp://`.
    package var requiresTLS = true
    /// A file of the certificates that are trusted; nil for those of the system.
    package var certificates: String?
    /// The longest that all of a mail may take, and that each of the server's answers may.
    package var timeout = Duration.seconds(60)
    package var patience = Duration.seconds(30)

    package init(_ url: String) { self.url = url }

    /// What the server knows its clients by.
    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String

        package init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    /// Sends a mail.
    ///
    /// - Parameters:
    ///   - message: the mail as it travels, lines ending with CRLF.
    ///   - sender: the address that hears of what cannot be delivered.
    ///   - recipient: the address that it goes to.
    /// - Returns: what the server said when it had taken it, such as `250 2.0.0 Ok: queued`.
    @LoopActor
    package func send(
        _ message: [UInt8],
        from sender: String,
        to recipient: String
    ) async throws(MailTransferError) -> String {
        for address in [sender, recipient] where !Self.isHarmless(address) {
            throw MailTransferError(.refused, "an address holds what ends one")
        }
        return try await run(message, sender, recipient)
    }

    /// Asks the server whether it would take mail of this client, without sending any.
    ///
    /// - Returns: what it said.
    @LoopActor
    package func greet() async throws(MailTransferError) -> String { try await run([], "", "") }

    /// In a command, an address stands between angle brackets.
    private static func isHarmless(_ address: String) -> Bool {
        !address.isEmpty && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E }
    }

    @LoopActor
    private func run(_ message: [UInt8], _ sender: String, _ recipient: String) async throws(MailTransferError)
        -> String
    {
        // It starts libcurl.
        _ = TransferLoop.shared
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: runHere(message, sender, recipient)) }
        }
        return try result.get()
    }

    /// On this thread, which waits.
    private func runHere(
        _ message: [UInt8],
        _ sender: String,
        _ recipient: String
    ) -> Result<String, MailTransferError> {
        guard let handle = curl_easy_init() else { return .failure(MailTransferError(.refused, "there is no memory")) }
        defer { curl_easy_cleanup(handle) }
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        var recipients: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(recipients) }
        return reason.withUnsafeMutableBufferPointer { reason in
            transfer_set_reason(handle, reason.baseAddress)
            var settings: [(CURLoption, String)] = [
                (CURLOPT_URL, "\(url)/\(name)"), (CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
            ]
            if message.isEmpty {
                settings.append((CURLOPT_CUSTOMREQUEST, "NOOP"))
            } else {
                settings.append((CURLOPT_MAIL_FROM, "<\(sender)>"))
                recipients = curl_slist_append(nil, "<\(recipient)>")
                transfer_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
            }
            if let credentials {
                settings += [(CURLOPT_USERNAME, credentials.user), (CURLOPT_PASSWORD, credentials.password)]
            }
            if let certificates { settings.append((CURLOPT_CAINFO, certificates)) }
            for (option, text) in settings {
                guard !text.utf8.contains(where: { $0 < 0x20 }), transfer_set_text(handle, option, text) == CURLE_OK
                else { return .failure(MailTransferError(.refused, "a setting holds what libcurl does not take")) }
            }
            // CURLUSESSL_NONE and CURLUSESSL_ALL, which Swift does not see.
            let numbers = [
                (CURLOPT_NOSIGNAL, 1), (CURLOPT_USE_SSL, requiresTLS ? 3 : 0),
                (CURLOPT_TIMEOUT_MS, Int(timeout / .milliseconds(1))),
                (CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(patience / .seconds(1)))),
            ]
            for (option, number) in numbers { transfer_set_number(handle, option, number) }
            var answer = mail_answer()
            let code = mail_run(handle, message, message.count, &answer)
            var status = 0
            transfer_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
            let said = withUnsafeBytes(of: &answer.text) { String(decoding: $0.prefix { $0 >= 0x20 }, as: UTF8.self) }
            guard code != CURLE_OK else { return .success(said) }
            let detail = reason.baseAddress.map { String(cString: $0) } ?? ""
            let words = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
            return .failure(MailTransferError(code, status: status, said: said, words))
        }
    }
}
