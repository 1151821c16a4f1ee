public import EventLoop
import Foundation
public import RedisClient

/// The certificates of servers that speak nothing but TLS, with clients, with each other and with sentinels.
public struct ServerTLS: Sendable {
    private let folder: URL

    /// Makes an authority, and the certificate of all servers at 127.0.0.1.
    @LoopActor
    public init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "todomate-tls-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let authority = CertificateAuthority(folder: folder)
        for name in ["ca", "stranger"] { try await authority.found(name) }
        try await authority.issue("server", for: "DNS:localhost,IP:127.0.0.1", signedBy: "ca")
    }

    /// Who vouches for the servers, as the path of a PEM file.
    public var authority: String { folder.path + "/ca.pem" }
    /// Who vouches for none of them.
    public var stranger: String { folder.path + "/stranger.pem" }

    /// Removes the files.
    public func remove() { try? FileManager.default.removeItem(at: folder) }

    /// What `redis-cli` is told to get in.
    var clientOptions: [String] { ["--tls", "--cacert", authority] }

    /// What servers and sentinels are told, as pairs of a name and a value.
    func settings(port: Int) -> [(name: String, value: String)] {
        [
            ("port", "0"), ("tls-port", String(port)), ("tls-replication", "yes"), ("tls-auth-clients", "no"),
            ("tls-ca-cert-file", authority), ("tls-cert-file", folder.path + "/server.pem"),
            ("tls-key-file", folder.path + "/server.key"),
        ]
    }

    func options(port: Int) -> [String] { settings(port: port).flatMap { ["--" + $0.name, $0.value] } }

    /// The same place, entered with TLS.
    public func url(_ url: RedisURL, trusting authority: String? = nil) -> RedisURL {
        var url = url
        url.usesTLS = true
        url.authoritiesPath = authority ?? self.authority
        return url
    }
}
