import CCurl
import EventLoop

/// One request to another server over HTTP, by libcurl.
///
/// Redirections are not followed, certificates are checked against those of the system, and a proxy is taken from the environment
/// as libcurl does (`https_proxy`, `no_proxy`).
package struct HTTPTransfer: Sendable {
    /// The URL asked.
    package var url: String
    /// Fields such as `("Accept", "application/json")`.
    package var fields: [(name: String, value: String)] = []
    /// Sent by POST; nil for GET.
    package var body: [UInt8]?
    /// A name and a password for HTTP's basic authentication.
    package var credentials: (name: String, password: String)?
    /// The most bytes of an answer.
    package var mostBytes = 1_048_576
    /// The longest that all of it may take.
    package var timeout = Duration.seconds(10)

    package init(_ url: String) { self.url = url }

    /// What a server answered, whatever the status.
    package struct Answer: Sendable, Equatable {
        package let status: Int
        package let body: [UInt8]
    }

    /// Sends it.
    ///
    /// - Throws: ``TransferError`` when there is no whole answer.
    @LoopActor
    package func send() async throws(TransferError) -> Answer {
        let handle = try EasyHandle()
        try handle.set(CURLOPT_URL, url)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(fields: fields)
        if let body { try handle.set(body: body) }
        if let credentials {
            try handle.set(CURLOPT_HTTPAUTH, 1)  // CURLAUTH_BASIC, which Swift does not see
            try handle.set(CURLOPT_USERNAME, credentials.name)
            try handle.set(CURLOPT_PASSWORD, credentials.password)
        }
        let received = Received(mostBytes)
        return try await handle.run(into: received, atMost: timeout) { handle in
            Answer(status: handle.number(CURLINFO_RESPONSE_CODE), body: received.bytes)
        }
    }
}
