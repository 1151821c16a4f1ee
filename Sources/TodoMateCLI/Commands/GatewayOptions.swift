import CommandArguments
import HTTPServing
import TodoMateGateway

/// The options of a worker's HTTP door.
struct GatewayOptions: Sendable {
    static let listen = Option<ListenAddress?>(
        "listen",
        short: "l",
        as: ValueParser { try ListenAddress($0) },
        valueName: "address",
        environment: "TODOMATE_LISTEN",
        help:
            "Serve HTTP here, such as 127.0.0.1:8080 or [::]:8080; workers of one machine share a port. Without it: no HTTP."
    )
    static let secret = Option<String?>(
        "secret",
        as: .text,
        valueName: "text",
        environment: "TODOMATE_SECRET",
        help: "Signs session tokens, at least 32 bytes, the same for all workers; better given by the environment."
    )
    static let secretFile = Option<String?>(
        "secret-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_SECRET_FILE",
        help:
            "Reads the secret from here. Its first line signs; tokens signed with the further lines are still good, so that "
            + "a secret can be changed."
    )
    static let trustedProxies = Option(
        "trusted-proxies",
        as: .list(of: .addressRange),
        default: [],
        valueName: "networks",
        environment: "TODOMATE_TRUSTED_PROXIES",
        help:
            "Proxies in front, such as 10.0.0.0/8,fd00::/8: from these alone X-Forwarded-For says who the client is."
    )
    static let allowOrigin = Option(
        "allow-origin",
        as: .list(of: .origin),
        default: [],
        valueName: "origins",
        environment: "TODOMATE_ALLOW_ORIGIN",
        help: "Other sites whose pages may call, separated by commas."
    )
    static let behindTLS = Flag(
        "behind-tls",
        environment: "TODOMATE_BEHIND_TLS",
        help:
            "Everybody comes over TLS: cookies are for that alone. Trusted proxies say so by themselves, in X-Forwarded-Proto."
    )
    static let maxConnections = Option(
        "max-connections",
        as: .integer(in: 1...1_000_000),
        default: HTTPLimits().connections,
        valueName: "number",
        environment: "TODOMATE_MAX_CONNECTIONS",
        help: "Most connections at a time, streams and idle ones included."
    )
    static let writeRate = Option(
        "write-rate",
        as: .integer(in: 0...10_000),
        default: GatewayConfiguration().writesPerSecond ?? 0,
        valueName: "number",
        environment: "TODOMATE_WRITE_RATE",
        help: "How many todos one user may write a second for long, thirty times as many at once; 0 for any number."
    )
    static let keepStreams = Flag(
        "keep-streams",
        environment: "TODOMATE_KEEP_STREAMS",
        help: "Leave event streams where they are, also when other workers have far fewer."
    )
    static let announceEvery = Option(
        "announce-every",
        as: .duration,
        default: GatewayConfiguration().announcementInterval,
        valueName: "time",
        environment: "TODOMATE_ANNOUNCE_EVERY",
        help: "How often workers tell each other how many streams they have; the same for all workers."
    )

    /// All of them, as a command declares them.
    static let all: [any ArgumentDeclaration] = [
        listen, secret, secretFile, allowOrigin, trustedProxies, behindTLS, maxConnections, writeRate, keepStreams,
        announceEvery,
    ]

    /// Nil without `--listen`.
    let configuration: GatewayConfiguration?
    /// Whether streams stay where they are.
    let keepsStreams: Bool

    init(_ arguments: ParsedArguments) throws {
        keepsStreams = try arguments[Self.keepStreams]
        guard let address = try arguments[Self.listen] else {
            configuration = nil
            return
        }
        var configuration = GatewayConfiguration()
        (configuration.host, configuration.port) = (address.host, address.port)
        configuration.signer = try Self.signer(arguments)
        configuration.trustedProxies = TrustedProxies(try arguments[Self.trustedProxies].map(\.range))
        configuration.isBehindTLS = try arguments[Self.behindTLS]
        configuration.allowedOrigins = Set(try arguments[Self.allowOrigin])
        configuration.limits.connections = try arguments[Self.maxConnections]
        let rate = try arguments[Self.writeRate]
        configuration.writesPerSecond = rate > 0 ? rate : nil
        configuration.announcementInterval = try arguments[Self.announceEvery]
        if let objection = configuration.objection { throw CommandError(objection, exitCode: .config) }
        self.configuration = configuration
    }

    /// Signs with the secret that is given, itself or in a file; nil without one.
    ///
    /// - Throws: `CommandError` when it is too short, cannot be read or is given twice.
    static func signer(_ arguments: ParsedArguments) throws -> TokenSigner? {
        try signer(secret: arguments[secret], path: arguments[secretFile])
    }

    /// Signs with a secret or with one in a file; nil without both.
    ///
    /// - Throws: `CommandError` when it is too short, cannot be read or is given twice.
    static func signer(secret: String?, path: String?) throws -> TokenSigner? {
        guard let path else { return try secret.map { try signer([$0]) } }
        guard secret == nil else {
            throw CommandError(
                "the secret is given twice: by --secret or TODOMATE_SECRET, and by --secret-file or TODOMATE_SECRET_FILE",
                exitCode: .config
            )
        }
        return try signer(SecretFile.lines(path))
    }

    private static func signer(_ secrets: [String]) throws -> TokenSigner {
        guard let signer = TokenSigner(secret: secrets[0], formerSecrets: Array(secrets.dropFirst())) else {
            throw CommandError(
                "the secret must have at least \(TokenSigner.shortestSecret) bytes: make one with 'openssl rand -hex 32'",
                exitCode: .config
            )
        }
        return signer
    }
}

extension ValueParser where Value == String {
    /// An origin as browsers send it: a scheme and a host, without a path.
    fileprivate static let origin = Self(
        describe: { $0 },
        parse: { text in
            guard text.wholeMatch(of: #/https?://[^/?#\s]+/#) != nil else {
                throw InvalidValue(expectation: "an origin such as https://app.example, without a slash behind it")
            }
            return text
        }
    )
}

/// A network, as it was written.
struct NamedAddressRange: Sendable {
    let text: String
    let range: AddressRange
}

extension ValueParser where Value == NamedAddressRange {
    /// A network in CIDR notation.
    fileprivate static let addressRange = Self(
        describe: \.text,
        parse: { text in
            guard let range = AddressRange(text) else {
                throw InvalidValue(
                    expectation: "networks such as 10.0.0.0/8 or fd00::/8, with no bits set behind the length"
                )
            }
            return NamedAddressRange(text: text, range: range)
        }
    )
}

/// A numeric address and a port.
struct ListenAddress: Sendable {
    let host: String
    let port: Int

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `8080`, which is on the loopback address.
    init(_ text: String) throws {
        let colon = text.lastIndex(of: ":")
        let host = colon.map { text[..<$0] } ?? "127.0.0.1"
        let port = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard let port = Int(port), (0...65_535).contains(port), !host.isEmpty else {
            throw InvalidValue(expectation: "an address and port such as 127.0.0.1:8080")
        }
        self.host = host.trimmingPrefix("[").hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
        self.port = port
    }
}
