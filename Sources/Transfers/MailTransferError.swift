import CCurl

/// Why a mail did not get to its server, or was not taken there.
package struct MailTransferError: Error, Equatable, CustomStringConvertible {
    /// What kind of reason it is.
    package enum Reason: String, Sendable, CaseIterable {
        /// It is not sent: an address or a setting is none.
        case refused
        /// Nobody answers at the server's address, or the connection broke.
        case unreachable
        /// The server did not answer in time.
        case timeout
        /// There is no TLS, or not with a certificate that is trusted.
        case tls
        /// The server does not take the name and the password.
        case login
        /// The server does not take the mail now (RFC 5321, 4yz).
        case deferred
        /// The server does not take the mail (5yz).
        case rejected
    }

    package let reason: Reason
    /// What went wrong, in one line.
    package let detail: String

    /// The number of the server's answer; 0 for none.
    package let status: Int

    package init(_ reason: Reason, _ detail: String, status: Int = 0) {
        (self.reason, self.detail, self.status) = (reason, detail, status)
    }

    /// What a log may hold: servers quote addresses, and may quote the mail, in what they say.
    package var brief: String { status > 0 ? "\(reason.rawValue) \(status)" : reason.rawValue }

    /// - Parameters:
    ///   - code: what libcurl says.
    ///   - status: the number of the server's last answer; 0 for none.
    ///   - said: that answer.
    ///   - words: libcurl's.
    init(_ code: CURLcode, status: Int, said: String, _ words: String) {
        let reason: Reason =
            switch code {
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
                CURLE_SSL_CACERT_BADFILE:
                .tls
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST: .unreachable
            case _ where (400..<500).contains(status): .deferred
            case CURLE_LOGIN_DENIED: .login
            case _ where (500..<600).contains(status): .rejected
            default: .unreachable
            }
        let detail = status < 400 || words.contains(said) ? words : "\(words): \(said)"
        self.init(reason, detail, status: status)
    }

    /// Whether the same may go well a little later.
    package var mayPass: Bool { [.unreachable, .timeout, .deferred].contains(reason) }

    package var description: String {
        switch reason {
        case .refused: "the mail cannot be sent: \(detail)"
        case .unreachable, .timeout: "the mail server does not answer: \(detail)"
        case .tls: "the mail server offers no TLS that can be trusted: \(detail)"
        case .login: "the mail server does not take the name and the password: \(detail)"
        case .deferred: "the mail server does not take the mail now: \(detail)"
        case .rejected: "the mail server does not take the mail: \(detail)"
        }
    }
}
