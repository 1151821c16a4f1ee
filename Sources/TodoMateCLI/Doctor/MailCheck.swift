import CommandArguments
import EventLoop
import TodoMateGateway

/// Looks whether the mail server lets this server in; nothing is sent.
@LoopActor
enum MailCheck {
    private static let topic = "mail"

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        do {
            guard let settings = try context.mail.settings() else { return [] }
            _ = try await settings.greet()
            guard settings.isProtected else {
                return [
                    .warning(
                        topic,
                        "\(settings.place) lets this server in, without TLS: links for new passwords can be read on the way",
                        "take \"tls\":\"none\" out of --mail-file, or use a server on this machine"
                    )
                ]
            }
            return [.ok(topic, "\(settings.place) lets this server in")]
        } catch let error as MailRefusal {
            return [.error(topic, error.description, "check the server, user and password of --mail-file")]
        } catch let error as CommandError {
            return [.error(topic, error.message, "correct the file that --mail-file names")]
        }
    }
}
