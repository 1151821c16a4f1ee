import EventLoop
package import TodoMate

extension TodoClient {
    /// How much the person has and may have.
    package func allowance() async throws(TodoError) -> AccountAllowance {
        try await server.value(of: ServerRequest(.get, ["users", uid, "limits"]))
    }
}
