import CommandArguments
import TodoMateGateway

/// The options that name the secret of the workers.
struct SecretOptions: Sendable {
    @Option(
        "secret",
        as: .text,
        valueName: "text",
        environment: "TODOMATE_SECRET",
        help: "Signs session tokens: at least 32 bytes, the same for all workers; better set by the environment."
    )
    private var secret: String?
    @Option(
        "secret-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_SECRET_FILE",
        help:
            "Reads the secret from here. Its first line signs; tokens signed with the further lines are still valid, so that "
            + "a secret can be changed."
    )
    private var path: String?

    /// Signs with the secret that is given, itself or in a file; nil without one.
    ///
    /// - Throws: `CommandError` when it is too short, cannot be read or is given twice.
    func signer() throws -> TokenSigner? {
        guard path == nil || secret == nil else {
            throw CommandError(
                "the secret is given twice: by --secret or TODOMATE_SECRET, and by --secret-file or TODOMATE_SECRET_FILE",
                exitCode: .config
            )
        }
        guard let secrets = try path.map(SecretFile.lines) ?? secret.map({ [$0] }) else { return nil }
        guard let signer = TokenSigner(secret: secrets[0], formerSecrets: Array(secrets.dropFirst())) else {
            throw CommandError(
                "the secret must have at least \(TokenSigner.shortestSecret) bytes: make one with 'openssl rand -hex 32'",
                exitCode: .config
            )
        }
        return signer
    }
}
