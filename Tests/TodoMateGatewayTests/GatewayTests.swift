import EventLoop
import Testing
import TodoMate
import TodoMateGateway

@Suite("A gateway in a program of one's own")
@LoopActor
struct GatewayTests {
    private func gateway(_ signer: TokenSigner? = nil) -> Gateway {
        var configuration = GatewayConfiguration()
        (configuration.host, configuration.port, configuration.signer) = ("0.0.0.0", 0, signer)
        return Gateway(configuration, stores: InMemoryTodoRepository().stores, log: Logger(write: { _ in }))
    }

    @Test("listens for others only with a secret")
    func protected() async throws {
        let error = #expect(throws: GatewayError.self) { try gateway().listen() }
        guard case .unprotected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let protected = gateway(TokenSigner(secret: String(repeating: "s", count: TokenSigner.shortestSecret)))
        #expect(try protected.listen() > 0)
        await protected.drain(grace: .zero)
    }
}
