import CommandArguments
import HTTPServing
import TodoMate
import TodoMateGateway

/// The options of a worker that serves HTTP.
struct GatewayOptions: Sendable {
    @Option(
        "listen",
        short: "l",
        as: ValueParser { try ListenAddress($0) },
        valueName: "address",
        environment: "TODOMATE_LISTEN",
        help:
            "Serve HTTP here, such as 127.0.0.1:8080 or [::]:8080; workers on one machine share a port. No HTTP by default."
    )
    private var address: ListenAddress?
    private let secret = SecretOptions()
    @Option(
        "allow-origin",
        as: .list(of: .origin),
        default: [],
        valueName: "origins",
        environment: "TODOMATE_ALLOW_ORIGIN",
        help: "Other sites whose pages may call, separated by commas."
    )
    private var allowedOrigins: [String]
    @Option(
        "trusted-proxies",
        as: .list(of: .addressRange),
        default: [],
        valueName: "networks",
        environment: "TODOMATE_TRUSTED_PROXIES",
        help:
            "Proxies in front, such as 10.0.0.0/8,fd00::/8: only their X-Forwarded-For is trusted."
    )
    private var trustedProxies: [NamedAddressRange]
    @Flag(
        "behind-tls",
        environment: "TODOMATE_BEHIND_TLS",
        help:
            "All clients use TLS: cookies are marked Secure. Trusted proxies say so themselves, in X-Forwarded-Proto."
    )
    private var isBehindTLS: Bool
    @Option(
        "max-connections",
        as: .integer(in: 1...1_000_000),
        default: HTTPLimits().connections,
        valueName: "number",
        environment: "TODOMATE_MAX_CONNECTIONS",
        help: "The most connections at a time, including streams and idle ones."
    )
    private var mostConnections: Int
    @Option(
        "write-rate",
        as: .integer(in: 0...10_000),
        default: GatewayConfiguration().writesPerSecond ?? 0,
        valueName: "number",
        environment: "TODOMATE_WRITE_RATE",
        help: "The todos that one user may write per second, thirty times as many at once; 0 for no limit."
    )
    private var writeRate: Int
    @Option(
        "registration",
        as: .choice(of: Registration.self),
        default: GatewayConfiguration().registration,
        valueName: "who",
        environment: "TODOMATE_REGISTRATION",
        help: "Who may make an account over HTTP: no one (closed), those with an invitation (invited), anyone (open)."
    )
    private var registration: Registration
    @Option(
        "invitations",
        as: .choice(of: Inviters.self),
        default: GatewayConfiguration().inviters,
        valueName: "who",
        environment: "TODOMATE_INVITATIONS",
        help: "Who may invite over HTTP: nobody, or everyone with an account. 'todomate invite' always may."
    )
    private var inviters: Inviters
    private let providers = ProviderOptions()
    private let mail = MailOptions()
    @Option(
        "deletion-grace",
        as: .deletionGrace,
        default: GatewayConfiguration().deletionGrace,
        valueName: "time",
        environment: "TODOMATE_DELETION_GRACE",
        help:
            "How long people may change their minds after they have deleted their accounts, such as 7d or 12h; 0 for no time."
    )
    private var deletionGrace: Int
    /// Whether streams stay where they are.
    @Flag(
        "keep-streams",
        environment: "TODOMATE_KEEP_STREAMS",
        help: "Leave event streams where they are, also when other workers have far fewer."
    )
    var keepsStreams: Bool
    @Option(
        "announce-every",
        as: .duration,
        default: GatewayConfiguration().announcementInterval,
        valueName: "time",
        environment: "TODOMATE_ANNOUNCE_EVERY",
        help: "How often workers announce their number of streams; the same for all workers."
    )
    private var announcementInterval: Duration

    /// What to serve, and how; nil without `--listen`.
    func configuration() throws -> GatewayConfiguration? {
        guard let address else { return nil }
        var configuration = GatewayConfiguration()
        (configuration.host, configuration.port) = (address.host, address.port)
        configuration.signer = try secret.signer()
        configuration.trustedProxies = TrustedProxies(trustedProxies.map(\.range))
        configuration.isBehindTLS = isBehindTLS
        configuration.allowedOrigins = Set(allowedOrigins)
        configuration.limits.connections = mostConnections
        configuration.writesPerSecond = writeRate > 0 ? writeRate : nil
        configuration.announcementInterval = announcementInterval
        (configuration.registration, configuration.inviters) = (registration, inviters)
        try providers.write(to: &configuration)
        configuration.mail = try mail.settings()
        configuration.deletionGrace = deletionGrace
        if let objection = configuration.objection { throw CommandError(objection, exitCode: .config) }
        return configuration
    }
}

extension ValueParser where Value == Int {
    /// Whole seconds up to a year, written in days, hours, minutes or seconds.
    static let deletionGrace = Self(
        describe: { seconds in
            let units = [("d", 86_400), ("h", 3600), ("m", 60)]
            let unit = units.first { seconds > 0 && seconds.isMultiple(of: $0.1) }
            return unit.map { "\(seconds / $0.1)\($0.0)" } ?? "\(seconds)s"
        },
        parse: { text in
            let units: [Character: Int] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
            let unit = text.last.flatMap { units[$0] }
            let digits = unit == nil ? text[...] : text.dropLast()
            guard digits.count <= 9, digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits),
                AccountDeletion.secondsRange.contains(number * (unit ?? 1))
            else { throw InvalidValue(expectation: "a time such as 7d, 12h or 30m, up to 365d; 0 for none") }
            return number * (unit ?? 1)
        }
    )
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
