import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests by `URLSession`, and hands over what is answered as it comes.
///
/// `bytes(for:)` is missing in the Foundation of Linux, so everything goes by a delegate there as well as on Apple's systems. No
/// cookie and no cache is kept, and no redirect followed: a token must not reach another server.
final class HTTPTransport: Sendable {
    /// A part of an answer.
    enum Part: Sendable {
        /// The status and the header fields, their names in lower case.
        case head(status: Int, fields: [String: String])
        case body(Data)
        /// The end; with a reason where it came too early.
        case end(String?)
    }

    private let session: URLSession
    private let receiver = PartReceiver()
    /// A session that is asked for anything after its end stops the program.
    private let isClosed = Mutex(false)

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { close() }

    /// Ends all requests that are on their way; those that are sent afterwards have no answer.
    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { session.invalidateAndCancel() }
            isClosed = true
        }
    }

    /// Sends a request; the answer's parts come in order, the last of them ``Part/end(_:)``. Whoever stops reading cancels it.
    func parts(of request: URLRequest) -> AsyncStream<Part> {
        let (stream, continuation) = AsyncStream.makeStream(of: Part.self)
        isClosed.withLock { isClosed in
            guard !isClosed else {
                continuation.yield(.end("the client is closed"))
                return continuation.finish()
            }
            let task = session.dataTask(with: request)
            receiver.register(continuation, for: task.taskIdentifier)
            continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
            task.resume()
        }
        return stream
    }
}

/// Passes what comes on to whoever waits for it.
private final class PartReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private let readers = Mutex<[Int: AsyncStream<HTTPTransport.Part>.Continuation]>([:])

    func register(_ reader: AsyncStream<HTTPTransport.Part>.Continuation, for task: Int) {
        readers.withLock { $0[task] = reader }
    }

    private func reader(of task: URLSessionTask) -> AsyncStream<HTTPTransport.Part>.Continuation? {
        readers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            var fields: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                if let name = name as? String { fields[name.lowercased()] = "\(value)" }
            }
            reader(of: dataTask)?.yield(.head(status: response.statusCode, fields: fields))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        reader(of: dataTask)?.yield(.body(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let reader = readers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        reader?.yield(.end(error.map(Self.told)))
        reader?.finish()
    }

    /// What somebody is told of an error, who may not know what to do about a certificate.
    private static func told(_ error: any Error) -> String {
        let words = error.localizedDescription
        let untrusted: Set<URLError.Code> = [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot]
        // Foundation on Linux has no code for this one: the words are libcurl's.
        guard
            (error as? URLError).map({ untrusted.contains($0.code) }) == true
                || words.contains("SSL certificate problem")
        else { return words }
        return "\(words): let this machine trust the authority that signed it (Debian: a file in "
            + "/usr/local/share/ca-certificates, then update-ca-certificates)"
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// What the server says with 401 is for the caller; on Linux a challenge that nobody answers leaves the request hanging.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.performDefaultHandling, nil)
    }
}
