import EventLoop
public import Foundation
import Testing

/// Makes certificates with `openssl`, as NAME.pem and NAME.key.
public struct CertificateAuthority {
    /// Where its files lie.
    let folder: URL

    /// One that keeps its files in this folder.
    public init(folder: URL) { self.folder = folder }

    private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    /// The machine's own may say anything.
    private static let configuration = """
        [ca]
        default_ca = default
        [default]
        database = $ENV::FOLDER/index.txt
        new_certs_dir = $ENV::FOLDER
        rand_serial = yes
        default_md = sha256
        copy_extensions = copy
        policy = policy
        [policy]
        commonName = supplied
        """

    /// Makes an authority that signs itself.
    public func found(_ name: String) async throws {
        try Data(Self.configuration.utf8).write(to: folder.appending(path: "openssl.cnf"))
        try Data().write(to: folder.appending(path: "index.txt"))
        let extensions = ["-addext", "basicConstraints=critical,CA:TRUE", "-subj", "/CN=\(name)"]
        let files = ["-keyout", path("\(name).key"), "-out", path("\(name).pem")]
        try await openssl(["req", "-x509", "-days", "2"] + Self.key + extensions + files)
    }

    /// Makes a certificate for these names.
    public func issue(
        _ name: String,
        for names: String = "DNS:client",
        signedBy authority: String,
        until end: String? = nil
    ) async throws {
        let subject = ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(names)"]
        let request = ["-keyout", path("\(name).key"), "-out", path("\(name).csr")]
        try await openssl(["req", "-new"] + Self.key + subject + request)
        let signer = ["-cert", path("\(authority).pem"), "-keyfile", path("\(authority).key")]
        let days = end.map { ["-startdate", "20200101000000Z", "-enddate", $0] } ?? ["-days", "2"]
        let files = ["-in", path("\(name).csr"), "-out", path("\(name).pem")]
        try await openssl(["ca", "-batch", "-notext"] + signer + days + files)
    }

    /// Writes a copy of a key that needs a passphrase.
    public func lock(_ name: String, as copy: String) async throws {
        let files = ["-in", path("\(name).key"), "-out", path(copy)]
        try await openssl(["pkcs8", "-topk8", "-passout", "pass:secret"] + files)
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func openssl(_ arguments: [String]) async throws {
        let environment = ["OPENSSL_CONF": path("openssl.cnf"), "FOLDER": folder.path]
        let outcome = try await Program.run("openssl", arguments, environment: environment)
        try #require(outcome.ending == .exit(0), "\(outcome.errors)")
    }
}
