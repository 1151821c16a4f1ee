import EventLoop
import Foundation
import Transfers

/// Why a mail server did not do what it was asked.
package struct MailRefusal: Error, Equatable, CustomStringConvertible {
    /// The reason, in one line.
    package let description: String
}

extension MailSettings {
    /// The server, as messages call it.
    package var place: String { server.url }

    /// Whether nobody on the way can read along.
    package var isProtected: Bool {
        let host = URLComponents(string: server.url)?.host?.trimmingCharacters(in: ["[", "]"]) ?? ""
        return server.requiresTLS || GatewayConfiguration.isLoopback(host)
    }

    /// Asks the server whether it would take mail, without sending any.
    ///
    /// - Returns: what it said.
    @LoopActor
    package func greet() async throws(MailRefusal) -> String {
        do throws(MailTransferError) {
            return try await server.greet()
        } catch {
            throw MailRefusal(description: error.description)
        }
    }

    /// Sends a mail that says nothing but that it arrives, in both languages.
    ///
    /// - Returns: what the server said when it had taken it.
    @LoopActor
    package func sendTest(to recipient: String) async throws(MailRefusal) -> String {
        let text = MailText(kind: .test, uid: "", server: server.name)
        let message = MailMessage(
            sender: self,
            recipient: recipient,
            subject: text.subject(in: .english),
            body: text.body(in: .english) + text.body(in: .korean)
        )
        do throws(MailTransferError) {
            return try await server.send(message.bytes(), from: address, to: recipient)
        } catch {
            throw MailRefusal(description: error.description)
        }
    }
}
