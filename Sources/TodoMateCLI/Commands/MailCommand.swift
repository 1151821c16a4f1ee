import CommandArguments
import TodoMate
import TodoMateGateway

/// `todomate mail`
struct MailCommand: Command {
    static let about = CommandDescription(
        name: "mail",
        summary: "Send one mail as a test, and print what the mail server says.",
        discussion:
            "It goes by the server of --mail-file, as the mails of workers do, and says nothing but that it arrives. "
            + "'todomate doctor' looks at the server without sending anything.",
        examples: [.init("todomate mail --mail-file mail.json --to alice@example.org")]
    )

    @Option(
        "to",
        as: .mailAddress,
        valueName: "address",
        help: "Where it goes."
    )
    private var recipient: String?
    private let mail = MailOptions()

    func run() async throws -> ExitCode {
        guard let recipient else { throw CommandError.usage("say where it is to go: --to alice@example.org") }
        guard let settings = try mail.settings() else {
            throw CommandError.usage("name the file that describes the mail server: --mail-file mail.json")
        }
        do {
            let answer = try await settings.sendTest(to: recipient)
            try StandardOutput.write("\(settings.place) has taken a mail to \(recipient): \(answer)\n")
            return .ok
        } catch let refusal as MailRefusal {
            throw CommandError("\(settings.place): \(refusal)", exitCode: .unavailable)
        }
    }
}

extension ValueParser where Value == String {
    /// An address of mail.
    fileprivate static let mailAddress = Self(
        describe: { $0 },
        parse: { text in
            guard let address = try? MailAddressRule.read(text) else {
                throw InvalidValue(expectation: "an address such as alice@example.org, in ASCII before the @")
            }
            return address
        }
    )
}
