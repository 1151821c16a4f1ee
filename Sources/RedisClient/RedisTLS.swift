import CHiredis
import Foundation

#if REDIS_TLS
    import CHiredisSSL
#endif

extension RedisURL {
    /// Whether this build can use `rediss://`; `Package.swift` decides by the libraries that are installed.
    package static var isTLSSupported: Bool {
        #if REDIS_TLS
            true
        #else
            false
        #endif
    }

    /// What to do where ``isTLSSupported`` is false.
    package static let tlsIsMissing =
        "this build has no TLS: build it where hiredis 1.0 or newer with hiredis_ssl is installed "
        + "(Debian 13, Ubuntu 24.04), or use redis:// inside a trusted network"
}

#if REDIS_TLS
    /// The TLS of one connection, through which hiredis reads and writes.
    final class TLSSession {
        private let ssl: OpaquePointer
        private let host: String

        /// The TLS of a new connection, with certificates read afresh; nil where the URL does not use TLS.
        static func make(for url: RedisURL) async throws(RedisLink.LinkError) -> TLSSession? {
            guard url.usesTLS, case .tcp(let host, _) = url.transport else { return nil }
            return try TLSSession(await TLSSettings.read(for: url), host: host)
        }

        private init(_ settings: TLSSettings, host: String) throws(RedisLink.LinkError) {
            ERR_clear_error()
            guard let ssl = SSL_new(settings.pointer) else { throw RedisLink.LinkError(openSSL: "TLS") }
            self.ssl = ssl
            // A name may be written with the dot of the root, a certificate's never is.
            self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
            SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            // An address stands in another part of a certificate than names, and is not sent as one.
            guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), self.host) != 1 else { return }
            guard SSL_set1_host(ssl, self.host) == 1, redis_tls_send_name(ssl, self.host) == 1 else {
                throw RedisLink.LinkError(openSSL: "the host name '\(host)'")
            }
        }

        deinit { SSL_free(ssl) }

        /// Begins the handshake on a connected socket; the reads and writes that follow carry it on.
        func start(on context: UnsafeMutablePointer<redisContext>) -> Bool {
            ERR_clear_error()
            // One reference for hiredis, which frees it with the context, and one for this object.
            SSL_up_ref(ssl)
            guard redisInitiateSSL(context, ssl) == REDIS_OK else {
                // hiredis takes over nothing when it fails.
                SSL_free(ssl)
                return false
            }
            return true
        }

        /// Whether the handshake is over.
        var isEstablished: Bool { SSL_is_init_finished(ssl) == 1 }

        /// Whether the last read or write has to wait for input.
        var wantsToRead: Bool { SSL_want(ssl) == SSL_READING }

        /// Whether the last read or write has to wait for room in the socket.
        var wantsToWrite: Bool { SSL_want(ssl) == SSL_WRITING }

        /// Whether bytes are here that were taken from the socket and not handed on yet.
        var holdsBytes: Bool { SSL_has_pending(ssl) == 1 }

        /// Empties the thread's error queue: hiredis takes what other connections left there for its own.
        func forgetErrors() { ERR_clear_error() }

        /// Tells the peer that nothing more will come.
        func sayGoodbye() { SSL_shutdown(ssl) }

        /// Why the last read or write failed; `reason` is what hiredis knows of it.
        func failure(_ reason: String) -> RedisLink.LinkError {
            let verdict = Int32(truncatingIfNeeded: SSL_get_verify_result(ssl))
            if verdict != X509_V_OK { return .init(reason: complaint(verdict), isRefusal: true) }
            let error = ERR_peek_error()
            // A broken connection is no refusal, and hiredis describes it.
            guard error != 0, redis_tls_library(error) != ERR_LIB_SYS else {
                return .init(reason: isEstablished ? reason : "\(reason) during the TLS handshake")
            }
            return .init(reason: explanation(of: error), isRefusal: true)
        }

        /// What is wrong with the server's certificate.
        private func complaint(_ verdict: Int32) -> String {
            switch verdict {
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                return "its certificate is not for '\(host)': connect by a name or address that stands in it"
            case X509_V_ERR_CERT_HAS_EXPIRED: return "its certificate has expired: renew it"
            case X509_V_ERR_CERT_NOT_YET_VALID: return "its certificate is not valid yet: compare the two clocks"
            default:
                let text = X509_verify_cert_error_string(Int(verdict)).map { String(cString: $0) } ?? "\(verdict)"
                return "its certificate is not trusted: \(text); name the CA with ?cacert=/path/ca.pem"
            }
        }

        /// What an entry of OpenSSL's error queue means for the user.
        private func explanation(of error: UInt) -> String {
            let text = RedisLink.LinkError.text(of: error)
            let hasCertificate = SSL_get_certificate(ssl) != nil
            switch redis_tls_reason(error) {
            case SSL_R_WRONG_VERSION_NUMBER, SSL_R_PACKET_LENGTH_TOO_LONG:
                return "it does not speak TLS on this port: use redis://, or the port that it has for TLS"
            // TLS 1.2 has no specific alert for a missing certificate.
            case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED,
                SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE where !hasCertificate:
                return "it wants a client certificate (\(text)): add cert=/path/client.pem&key=/path/client.key"
            case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE where hasCertificate,
                SSL_R_TLSV1_ALERT_UNKNOWN_CA where hasCertificate:
                return "it does not accept the client certificate (\(text)): show one of a CA that it trusts"
            default: return "TLS failed: \(text)"
            }
        }
    }

    /// Whom a connection trusts and what it shows: OpenSSL's settings, read from files.
    private final class TLSSettings: Sendable {
        // OpenSSL counts the owners of an SSL_CTX with atomics, and nothing changes it after `init`.
        nonisolated(unsafe) let pointer: OpaquePointer

        /// Reads the files that the URL names, away from the loop because disks block.
        static func read(for url: RedisURL) async throws(RedisLink.LinkError) -> TLSSettings {
            let result: Result<TLSSettings, RedisLink.LinkError> = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: Result { () throws(RedisLink.LinkError) in try TLSSettings(url) })
                }
            }
            return try result.get()
        }

        private init(_ url: RedisURL) throws(RedisLink.LinkError) {
            ERR_clear_error()
            guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw RedisLink.LinkError(openSSL: "TLS") }
            self.pointer = pointer
            guard redis_tls_set_rules(pointer) == 1 else { throw RedisLink.LinkError(openSSL: "TLS 1.2") }
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
            if let path = url.authoritiesPath {
                guard SSL_CTX_load_verify_locations(pointer, path, nil) == 1 else {
                    throw RedisLink.LinkError(openSSL: "the CA file \(path)")
                }
            } else {
                SSL_CTX_set_default_verify_paths(pointer)
            }
            guard let certificate = url.clientCertificate else { return }
            // Without this, OpenSSL prompts for a passphrase on the terminal and waits.
            SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in -1 }
            guard SSL_CTX_use_certificate_chain_file(pointer, certificate.path) == 1 else {
                throw RedisLink.LinkError(openSSL: "the client certificate \(certificate.path)")
            }
            guard SSL_CTX_use_PrivateKey_file(pointer, certificate.keyPath, SSL_FILETYPE_PEM) == 1 else {
                throw RedisLink.LinkError(openSSL: "the client's key \(certificate.keyPath)")
            }
        }

        deinit { SSL_CTX_free(pointer) }
    }

    extension RedisLink.LinkError {
        /// OpenSSL's reason why a file cannot be used.
        fileprivate init(openSSL thing: String) {
            self.init(reason: "\(thing) cannot be used: \(Self.text(of: ERR_peek_error()))", isRefusal: true)
        }

        /// An entry of OpenSSL's error queue as text.
        fileprivate static func text(of error: UInt) -> String {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                ERR_error_string_n(error, buffer.baseAddress, buffer.count)
                let line = buffer.baseAddress.map { String(cString: $0) } ?? ""
                // The parts before are a number and the names of OpenSSL's modules.
                return line.split(separator: ":").last.map(String.init) ?? line
            }
        }
    }
#else
    /// Stands in where the build has no TLS: there never is one.
    struct TLSSession {
        /// Nil where the URL does not use TLS.
        static func make(for url: RedisURL) async throws(RedisLink.LinkError) -> TLSSession? {
            guard url.usesTLS else { return nil }
            throw RedisLink.LinkError(reason: RedisURL.tlsIsMissing, isRefusal: true)
        }

        private init() {}

        var isEstablished: Bool { false }
        var wantsToRead: Bool { false }
        var wantsToWrite: Bool { false }
        var holdsBytes: Bool { false }
        func start(on context: UnsafeMutablePointer<redisContext>) -> Bool { false }
        func forgetErrors() {}
        func sayGoodbye() {}
        func failure(_ reason: String) -> RedisLink.LinkError { RedisLink.LinkError(reason: reason) }
    }
#endif
