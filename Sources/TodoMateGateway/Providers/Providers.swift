import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// The providers of this server, and what browsers keep for it on the way there and back.
@LoopActor
final class Providers {
    /// Where people find this server.
    let publicURL: String
    private let clients: [ProviderClient]
    private let journeys: SealedCookie<SignInJourney>
    private let arrivals: SealedCookie<Arrival>

    /// Nil for a server without providers.
    init?(_ configuration: GatewayConfiguration, _ cookie: SessionCookie) {
        guard let publicURL = configuration.publicURL, let signer = configuration.signer,
            !configuration.providers.isEmpty
        else { return nil }
        self.publicURL = publicURL
        clients = configuration.providers.map { ProviderClient($0) }
        journeys = SealedCookie(.journey, cookie, signer, lasting: SignInJourney.seconds)
        arrivals = SealedCookie(.arrival, cookie, signer, lasting: Arrival.seconds)
    }

    /// Asks the providers what they say of themselves, so that nobody has to wait for it; one that does not answer is asked again
    /// when somebody comes.
    func prepare() {
        for client in clients { Task { _ = try? await client.described() } }
    }

    /// What the page offers: `[{"id":"acme","name":"Acme"},…]`.
    var offered: [JSONObject] { clients.map { JSONObject(["id": $0.provider.id, "name": $0.provider.name]) } }

    /// Answers for a server without providers.
    static func refuse(_ routes: [(HTTPMethod, String)], on router: HTTPRouter) {
        for (method, path) in routes {
            router.on(method, path) { _, _ in throw Problem(.notFound, "this server lets nobody in by providers") }
        }
    }

    /// Whether there is a provider of this name.
    func has(_ id: String) -> Bool { clients.contains { $0.provider.id == id } }

    /// The provider of a name.
    ///
    /// - Throws: a ``Problem`` when there is none.
    func client(_ id: String) throws(Problem) -> ProviderClient {
        guard let client = clients.first(where: { $0.provider.id == id }) else {
            throw Problem(.notFound, "there is no provider of this name")
        }
        return client
    }

    // MARK: On the way

    func field(_ journey: SignInJourney, for request: HTTPRequest) throws -> String {
        try journeys.field(journey, for: journey.provider, request)
    }

    /// The journey that a browser comes back from; nil for none to this provider.
    func journey(to provider: String, in request: HTTPRequest) -> SignInJourney? {
        journeys.value(for: provider, in: request)
    }

    func endOfJourney(for request: HTTPRequest) -> String { journeys.end(for: request) }

    // MARK: At the door

    func field(_ arrival: Arrival, for request: HTTPRequest) throws -> String {
        try arrivals.field(arrival, for: arrival.provider, request)
    }

    /// Whom a provider knows and who is to choose a name; nil for nobody.
    func arrival(by provider: String, in request: HTTPRequest) -> Arrival? {
        arrivals.value(for: provider, in: request).flatMap { $0.isGood() ? $0 : nil }
    }

    func endOfArrival(for request: HTTPRequest) -> String { arrivals.end(for: request) }
}
