import EventLoop
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// What an account says of its mail.
struct ShownMail: Decodable, Equatable {
    var sends: Bool
    var address: String?
    var pending: String?
    var until: String?
}

/// Runs `body` with gateways that send mail, and what takes it; alice has an account.
@LoopActor
func withMailGateways(
    _ count: Int = 1,
    on backing: Backing,
    isBehindProxy: Bool = false,
    body: @LoopActor ([any HTTPGateway], MailServerProgram) async throws -> Void
) async throws {
    try await withMailServer { mailbox in
        let settings = try mailbox.settings()
        let door = Door(publicURL: "https://todo.example", mail: settings, isBehindProxy: isBehindProxy)
        try await withGateways(count, on: backing, door: door) { gateways in
            try await gateways[0].giveAccount("alice")
            try await body(gateways, mailbox)
        }
    }
}

extension HTTPGateway {
    /// Asks for another address; an empty one for none.
    func setMail(
        _ address: String,
        of uid: String = "alice",
        as client: SignedInClient,
        _ password: String = GatewayProcess.password,
        _ fields: [String] = []
    ) async throws -> Answer {
        let body = JSONObject(["address": address, "password": password]).text
        return try await ask("PUT /v1/users/\(uid)/mail", client.bearer + fields, body: body)
    }

    func shownMail(of uid: String = "alice", as client: SignedInClient) async throws -> ShownMail {
        try await ask("GET /v1/users/\(uid)/mail", client.bearer).read()
    }

    func confirmMail(_ uid: String, _ secret: String) async throws -> Answer {
        try await ask("POST /v1/mail-confirmation", body: JSONObject(["user": uid, "secret": secret]).text)
    }

    func forget(_ uid: String, _ fields: String...) async throws -> Answer {
        try await ask("POST /v1/password-reset/mail", fields, body: JSONObject(["user": uid]).text)
    }

    func reset(_ uid: String, _ secret: String, _ password: String, code: String? = nil) async throws -> Answer {
        let body = JSONObject(["user": uid, "secret": secret, "password": password, "code": code]).text
        return try await ask("POST /v1/password-reset", body: body)
    }

    /// Gives an account a confirmed address.
    func giveMail(
        _ address: String,
        to uid: String = "alice",
        _ mailbox: MailServerProgram,
        _ fields: [String] = []
    ) async throws {
        let before = mailbox.mails.count
        let client = try await signIn(uid)
        let answer = try await setMail(address, of: uid, as: client, GatewayProcess.password, fields)
        try #require(answer.status == 202, "\(answer.text)")
        let mail = try #require(try await mailbox.mails(before + 1).last)
        let ticket = try #require(mail.ticket("mail"))
        let confirmed = try await confirmMail(ticket.uid, ticket.secret)
        try #require(confirmed.status == 200, "\(confirmed.text)")
    }

    /// What `/metrics` says of a name.
    func metric(_ name: String) async throws -> Int? {
        let lines = try await ask("GET /metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Int($0) }
    }
}
