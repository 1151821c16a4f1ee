import CommandArguments
import TodoMateGateway

/// The option that names the server of mail.
struct MailOptions: Sendable {
    @Option(
        "mail-file",
        as: .text,
        valueName: "path",
        environment: "TODOMATE_MAIL_FILE",
        help:
            "Sends mail by the SMTP server in this file of JSON, so that people can set a forgotten password anew; a worker "
            + "needs --public-url and a secret besides."
    )
    private var path: String?

    /// The server; nil without one.
    ///
    /// - Throws: `CommandError` when the file is of no use, or everybody may read it.
    func settings() throws -> MailSettings? {
        guard let path else { return nil }
        let bytes = try SettingsFile.bytes(of: path)
        try SettingsFile.checkIsPrivate(path)
        do {
            return try MailSettings(from: bytes) { name in
                let file = SettingsFile.path(of: name, beside: path)
                let password = try SecretFile.lines(file)[0]
                try SettingsFile.checkIsPrivate(file)
                return password
            } place: { name in
                SettingsFile.path(of: name, beside: path)
            }
        } catch let error as MailSettingsError {
            throw CommandError("\(path): \(error)", exitCode: .config)
        }
    }
}
