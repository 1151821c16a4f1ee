import CommandArguments
import Foundation
import TodoMateGateway

/// The options of signing in by OpenID providers.
struct ProviderOptions: Sendable {
    @Option(
        "public-url",
        as: .publicURL,
        valueName: "url",
        environment: "TODOMATE_PUBLIC_URL",
        help:
            "Where people find this server, such as https://todo.example: providers send them back there, and links in mails "
            + "lead there."
    )
    private var publicURL: String?
    @Option(
        "providers-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_PROVIDERS_FILE",
        help: "Lets people sign in by the OpenID providers in this file of JSON; needs --public-url and a secret."
    )
    private var path: String?

    /// Adds what is given to a configuration.
    ///
    /// - Throws: `CommandError` when the file is of no use, or something is missing besides it.
    func write(to configuration: inout GatewayConfiguration) throws {
        configuration.publicURL = publicURL
        guard let path else { return }
        do {
            configuration.providers = try IdentityProvider.list(from: try SettingsFile.bytes(of: path)) { secretPath in
                try SecretFile.lines(SettingsFile.path(of: secretPath, beside: path))[0]
            }
        } catch let error as IdentityProviderError {
            throw CommandError("\(path): \(error)", exitCode: .config)
        }
    }
}

extension ValueParser where Value == String {
    /// Where a server is found: without a path, as the page is at its root.
    fileprivate static let publicURL = Self(
        describe: { $0 },
        parse: { text in
            let url = text.hasSuffix("/") ? String(text.dropLast()) : text
            guard url.wholeMatch(of: #/https?://[^/?#\s"@]+/#) != nil else {
                throw InvalidValue(expectation: "an address such as https://todo.example, without a path")
            }
            return url
        }
    )
}
