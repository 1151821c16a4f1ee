import EventLoop
import HTTPServing
import TodoMate

/// Writes to people, within what may be sent: what the routes of mail have in common.
@LoopActor
final class Mailing {
    /// How long links are good.
    static let confirmationSeconds = 86_400
    static let resetSeconds = 3600
    /// How many requests for a new password may be looked into at a time: their answers do not wait for that.
    private static let mostLookups = 100

    let publicURL: String
    let queue: MailQueue
    private let stores: Stores
    private let signer: TokenSigner
    private let proxies: TrustedProxies
    private let metrics: Metrics
    private let log: Logger
    private var lookups = 0

    /// Nil for a server that sends no mail.
    init?(
        _ configuration: GatewayConfiguration,
        _ stores: Stores,
        _ metrics: Metrics,
        _ log: Logger
    ) {
        guard let settings = configuration.mail, let publicURL = configuration.publicURL,
            let signer = configuration.signer
        else { return nil }
        (self.publicURL, self.stores, self.signer) = (publicURL, stores, signer)
        (proxies, self.metrics, self.log) = (configuration.trustedProxies, metrics, log)
        queue = MailQueue(settings, configuration.mailBackoff, metrics, log)
        metrics.gauge("todomate_mails_waiting", "Mails that are not handed over to their server yet.") {
            [weak queue] in queue?.count ?? 0
        }
    }

    /// Whether there is mail to hand over at once, or about to be.
    var isSending: Bool { queue.unsent > 0 || lookups > 0 }

    func stop() { queue.stop() }

    /// Sends the link that confirms an address, which its account has waiting.
    ///
    /// - Parameters:
    ///   - offer: has the address wait for the link of a digest; not called where too much was asked for.
    func confirm(
        _ address: String,
        of uid: String,
        for request: HTTPRequest,
        offer: (_ id: String) async throws -> Void
    ) async throws {
        try await take([
            ExactBudget(.account, signer.code(of: "mail of \(uid)")),
            // Apart from links for a new password, which nobody can use up by naming the address.
            ExactBudget(.recipient, signer.code(of: "confirmation to \(MailAddressRule.mailbox(address))")),
        ])
        let code = LinkCode(of: uid, for: .mail)
        try await offer(code.digest(for: .mail))
        let text = MailText(
            kind: .confirmation,
            uid: uid,
            server: publicURL,
            link: code.link(for: .mail, at: publicURL)
        )
        guard queue.send(text, to: address, in: await language(of: uid, .wanted(by: request))) else {
            throw Problem(.busy, "too many mails wait at the moment: try again later", headers: ["Retry-After": "60"])
        }
    }

    /// Tells an address that it is not the account's any more.
    func tell(_ address: String, _ kind: MailText.Kind, of uid: String, for request: HTTPRequest) async {
        let text = MailText(kind: kind, uid: uid, server: publicURL)
        queue.send(text, to: address, in: await language(of: uid, .wanted(by: request)))
    }

    /// Sends a link for a new password to the confirmed address of an account, if there is one. Nothing of it is known when this
    /// returns: the answer is the same for all names, and takes as long.
    ///
    /// - Throws: a ``Problem`` where too much was asked for.
    func offerReset(to uid: String, for request: HTTPRequest) async throws(Problem) {
        let client = proxies.client(of: request)
        let address = NetworkAddress.client(client)
        // The account last: who is over a budget of their own never holds one of its places, not even for a moment.
        try await take([
            ExactBudget(.client, address),
            ExactBudget(.network, NetworkAddress.surroundings(of: client) ?? address),
            ExactBudget(.account, signer.code(of: "reset of \(uid)")),
        ])
        guard lookups < Self.mostLookups else { return metrics.failedMail("full") }
        lookups += 1
        let wanted = MailLanguage.wanted(by: request)
        Task {
            // At some time later: requests right after this one do not feel whether there was something to do.
            await LoopTimer.sleep(for: .milliseconds(.random(in: 0...1500)))
            await sendReset(to: uid, wanted)
            lookups -= 1
        }
    }

    /// Counts a mail, exactly over all workers.
    ///
    /// - Throws: a ``Problem`` where one has to wait.
    private func take(_ budgets: [ExactBudget]) async throws(Problem) {
        let wait: Int?
        do throws(TodoError) {
            wait = try await stores.mails.take(budgets)
        } catch {
            throw Problem(error)
        }
        if let wait { throw .tooManyAttempts("to have mail sent", .seconds(wait)) }
    }

    private func sendReset(to uid: String, _ wanted: MailLanguage) async {
        do {
            // Looked at first, as a link that is made ends the one that was mailed before.
            guard let known = try await stores.mails.mail(of: uid).address else { return }
            // Exactly that address, which somebody has confirmed: no other one uses up its budget.
            try await take([ExactBudget(.recipient, signer.code(of: "mail to \(known.lowercased())"))])
            let code = LinkCode(of: uid, for: .reset)
            let id = code.digest(for: .reset)
            guard let address = try await stores.mails.offerReset(id, of: uid, seconds: Self.resetSeconds) else {
                return
            }
            let link = code.link(for: .reset, at: publicURL)
            let text = MailText(kind: .reset, uid: uid, server: publicURL, link: link)
            queue.send(text, to: address, in: await language(of: uid, wanted))
        } catch {
            metrics.failedMail((error as? Problem)?.kind == .tooManyAttempts ? "budget" : "store")
            log.warning("mail not sent", ["kind": "reset", "reason": (error as? Problem)?.detail ?? "\(error)"])
        }
    }

    private func language(of uid: String, _ wanted: MailLanguage) async -> MailLanguage {
        let preferences = try? await stores.relations.profile(of: uid).settings.preferences
        return MailLanguage(of: preferences ?? Preferences(), or: wanted)
    }
}
