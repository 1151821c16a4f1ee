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
    private let cookies: (journey: SessionCookie, arrival: SessionCookie)
    private let seals: (journey: Seal, arrival: Seal)

    /// Nil for a server without providers.
    init?(_ configuration: GatewayConfiguration, _ cookie: SessionCookie) {
        guard let publicURL = configuration.publicURL, let signer = configuration.signer,
            !configuration.providers.isEmpty
        else { return nil }
        self.publicURL = publicURL
        clients = configuration.providers.map { ProviderClient($0) }
        cookies = (cookie.other(.journey), cookie.other(.arrival))
        seals = (Seal(signer, for: "journey"), Seal(signer, for: "arrival"))
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
        let text = seals.journey.seal(try Self.bytes(of: journey), for: journey.provider)
        return cookies.journey.field(text, lasting: SignInJourney.seconds, for: request)
    }

    /// The journey that a browser comes back from; nil for none to this provider.
    func journey(to provider: String, in request: HTTPRequest) -> SignInJourney? {
        guard let text = cookies.journey.value(in: request),
            let bytes = seals.journey.open(text, for: provider)?.secret,
            let journey = try? JSONDecoder().decode(SignInJourney.self, from: Data(bytes)), journey.provider == provider
        else { return nil }
        return journey
    }

    func endOfJourney(for request: HTTPRequest) -> String { cookies.journey.field("", lasting: 0, for: request) }

    // MARK: At the door

    func field(_ arrival: Arrival, for request: HTTPRequest) throws -> String {
        let text = seals.arrival.seal(try Self.bytes(of: arrival), for: arrival.provider)
        return cookies.arrival.field(text, lasting: Arrival.seconds, for: request)
    }

    /// Whom a provider knows and who is to choose a name; nil for nobody.
    func arrival(by provider: String, in request: HTTPRequest) -> Arrival? {
        guard let text = cookies.arrival.value(in: request),
            let bytes = seals.arrival.open(text, for: provider)?.secret,
            let arrival = try? JSONDecoder().decode(Arrival.self, from: Data(bytes)), arrival.isGood()
        else { return nil }
        return arrival
    }

    func endOfArrival(for request: HTTPRequest) -> String { cookies.arrival.field("", lasting: 0, for: request) }

    private static func bytes(of value: some Encodable) throws -> [UInt8] { Array(try JSONEncoder().encode(value)) }
}
