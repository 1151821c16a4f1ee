import EventLoop
import Foundation
import Transfers

/// Asks one provider: what it says of itself, the keys it signs with, and who has signed in there.
@LoopActor
final class ProviderClient {
    /// For so long a provider's word of itself, and its keys, are not asked for again.
    private static let freshness = Duration.seconds(600)
    /// How many may wait for its answer: each of them keeps a connection.
    private static let mostWaiting = 64
    /// And for so long after it has not answered, so that strangers do not have it asked again and again.
    private static let pause = Duration.seconds(2)

    let provider: IdentityProvider
    private var metadata: (value: ProviderMetadata, read: ContinuousClock.Instant)?
    private var keys: (value: SigningKeys, read: ContinuousClock.Instant)?
    /// Of the last attempt to read what it says of itself: shared by all who wait for it.
    private var reading: Task<Result<ProviderMetadata, ProviderError>, Never>?
    private var waiting = 0
    private var failed: (error: ProviderError, at: ContinuousClock.Instant)?

    init(_ provider: IdentityProvider) { self.provider = provider }

    /// What the provider says of itself; what it said before, while it does not answer.
    func described() async throws(ProviderError) -> ProviderMetadata {
        if let metadata, metadata.read.duration(to: .now) < Self.freshness { return metadata.value }
        do throws(ProviderError) {
            if let failed, failed.at.duration(to: .now) < Self.pause { throw failed.error }
            return try await readOnce()
        } catch {
            guard case .unreachable = error, let metadata else { throw error }
            return metadata.value
        }
    }

    /// Reads what the provider says of itself, or waits for who does so already.
    private func readOnce() async throws(ProviderError) -> ProviderMetadata {
        guard waiting < Self.mostWaiting else { throw .unreachable("too many wait for its answer") }
        waiting += 1
        defer { waiting -= 1 }
        let task = reading ?? Task { await self.describe() }
        reading = task
        let result = await task.value
        if reading == task { reading = nil }
        return try result.get()
    }

    private func describe() async -> Result<ProviderMetadata, ProviderError> {
        do throws(ProviderError) {
            let json = try await read(ProviderMetadata.url(of: provider.issuer))
            let value = try ProviderMetadata(json, of: provider.issuer)
            (metadata, failed) = ((value, .now), nil)
            return .success(value)
        } catch {
            failed = (error, .now)
            return .failure(error)
        }
    }

    /// The address at the provider that asks somebody to sign in, for one journey.
    func invitation(to journey: SignInJourney, at publicURL: String) async throws(ProviderError) -> String {
        var parameters = [
            ("response_type", "code"), ("client_id", provider.clientID),
            ("redirect_uri", provider.callback(at: publicURL)),
            ("scope", (["openid"] + provider.scopes).joined(separator: " ")), ("state", journey.state),
            ("nonce", journey.nonce), ("code_challenge", journey.challenge), ("code_challenge_method", "S256"),
        ]
        // That somebody has signed in there some time ago is not enough to set a password.
        if journey.purpose == .password {
            // Some say when that was only where they are asked for it by name (OpenID Connect Core 1.0, 5.5).
            let claims = #"{"id_token":{"auth_time":{"essential":true}}}"#
            parameters += [("prompt", "login"), ("max_age", "0"), ("claims", claims)]
        }
        let endpoint = try await described().authorizationEndpoint
        return ProviderURL.adding(parameters.map { (name: $0.0, value: $0.1) }, to: endpoint)
    }

    /// Where somebody signs out of the provider as well, as far as the provider was asked already: signing out here waits for nobody.
    func farewell(from publicURL: String) -> String? {
        guard let endpoint = metadata?.value.endSessionEndpoint else { return nil }
        let parameters = [("client_id", provider.clientID), ("post_logout_redirect_uri", "\(publicURL)/")]
        return ProviderURL.adding(parameters.map { (name: $0.0, value: $0.1) }, to: endpoint)
    }

    /// Who has signed in, for the code that the provider sent along.
    func token(for code: String, on journey: SignInJourney, at publicURL: String) async throws(ProviderError) -> IDToken
    {
        let text = try await exchange(code, journey, publicURL)
        let signed = try SignedToken(text)
        let claims = try await verified(signed)
        return try IDToken(claims, from: provider.issuer, for: provider.clientID, nonce: journey.nonce)
    }

    private func exchange(
        _ code: String,
        _ journey: SignInJourney,
        _ publicURL: String
    ) async throws(ProviderError) -> String {
        let metadata = try await described()
        var parameters = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", provider.callback(at: publicURL)), ("code_verifier", journey.verifier),
        ]
        var transfer = HTTPTransfer(metadata.tokenEndpoint)
        switch provider.clientSecret {
        case nil: parameters.append(("client_id", provider.clientID))
        case let secret? where metadata.takesSecretInBody:
            parameters += [("client_id", provider.clientID), ("client_secret", secret)]
        case let secret?:
            // Encoded as in a form first (RFC 6749, section 2.3.1).
            transfer.credentials = (ProviderURL.encode(provider.clientID), ProviderURL.encode(secret))
        }
        transfer.body = Array(ProviderURL.form(parameters.map { (name: $0.0, value: $0.1) }).utf8)
        transfer.fields = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        let answer = try await send(transfer)
        let body = try? JSONDecoder().decode(TokenAnswer.self, from: Data(answer.body))
        guard answer.status == 200, let token = body?.id_token else {
            throw .code(Self.described(answer.status, body?.error, body?.error_description))
        }
        return token
    }

    private func verified(_ token: SignedToken) async throws(ProviderError) -> [String: ClaimValue] {
        for isAgain in [false, true] {
            let keys = try await signingKeys(afresh: isAgain)
            let candidates = keys.candidates(id: token.keyID, for: token.algorithm)
            if let claims = token.claims(signedBy: candidates) { return claims }
            // A provider changes its keys whenever it likes.
        }
        throw .token("none of the provider's keys has signed it")
    }

    private func signingKeys(afresh: Bool) async throws(ProviderError) -> SigningKeys {
        if !afresh, let keys, keys.read.duration(to: .now) < Self.freshness { return keys.value }
        let value = try SigningKeys(try await read(try await described().keysURL))
        keys = (value, .now)
        return value
    }

    private func read(_ url: String) async throws(ProviderError) -> [UInt8] {
        var transfer = HTTPTransfer(url)
        transfer.fields = [("Accept", "application/json")]
        let answer = try await send(transfer)
        guard answer.status == 200 else { throw .unreachable("\(url) answers \(answer.status)") }
        return answer.body
    }

    private func send(_ transfer: HTTPTransfer) async throws(ProviderError) -> HTTPTransfer.Answer {
        do throws(TransferError) {
            return try await transfer.send()
        } catch {
            throw .unreachable("\(transfer.url): \(error)")
        }
    }

    private struct TokenAnswer: Decodable {
        var id_token: String?
        var error: String?
        var error_description: String?
    }

    /// For the log: the words of another server, in one line.
    private static func described(_ status: Int, _ error: String?, _ detail: String?) -> String {
        let words = [error, detail].compactMap(\.self).joined(separator: ": ")
        let line = String(words.prefix(200).map { $0.isNewline ? " " : $0 })
        return line.isEmpty ? "it answers \(status) without a token" : line
    }
}
