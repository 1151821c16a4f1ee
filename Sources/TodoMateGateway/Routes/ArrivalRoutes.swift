import EventLoop
import HTTPServing
import TodoMate

/// Makes the accounts of those whom a provider knows, once they have chosen a name.
@LoopActor
final class ArrivalRoutes {
    private let door: ProviderDoor

    init(_ door: ProviderDoor) { self.door = door }

    func add(to router: HTTPRouter) {
        for (method, path) in Self.routes { router.on(method, path, join) }
    }

    static let routes: [(HTTPMethod, String)] = [(.post, "/v1/providers/{provider}/accounts")]

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case user }

        var user: String
    }

    private func join(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try door.authenticator.checkOrigin(request)
        let client = try door.providers.client(path["provider"])
        let provider = client.provider
        let uid = try Fields.read(request).user
        try UserNameRule.check(uid)
        guard provider.arrivals == .create, let arrival = door.providers.arrival(by: provider.id, in: request) else {
            throw Problem(.notFound, "sign in by \(provider.name) first, and choose the name soon after it")
        }
        return try await door.budgets.attempt(costsAccount: true, request) { address in
            let generation: Int
            do throws(TodoError) {
                generation = try await door.stores.identities.enroll(
                    uid,
                    passwordHash: PasswordHasher.none,
                    by: arrival.draft
                )
            } catch {
                guard case .exists = error else { throw Problem(error) }
                if let owner = try await door.stores.identities.owner(of: arrival.identity), owner != uid {
                    throw Problem(.notFound, "you have an account here already: sign in by \(provider.name)")
                }
                throw Problem(.exists, "the name \(uid) is taken, or looks like one that is: choose another")
            }
            door.log.info("account made", ["uid": uid, "by": provider.id, "from": address])
            WishDelivery(door.stores.relations, door.log).deliver(to: uid)
            try? await door.stores.accounts.rememberAddress(address, of: uid)
            guard let token = try await door.signIn.begin(uid, since: generation, by: provider.id, for: request) else {
                throw Problem(.unauthenticated, "the account is there, and was changed meanwhile: sign in")
            }
            return door.signIn.answer(token, for: request, ending: door.providers.endOfArrival(for: request))
        }
    }
}
