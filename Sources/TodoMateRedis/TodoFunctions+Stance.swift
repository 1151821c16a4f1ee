import RedisClient
import TodoMate

extension TodoFunctions {
    /// A viewer's own side of the pair with an owner; for themselves, it limits nothing.
    func stance(of viewer: String, toward owner: String) async throws(TodoError) -> Stance {
        guard viewer != owner else { return .following }
        let reply = try await call("todomate_stance", viewer, [owner], readsOnly: true, isRepeatable: true)
        guard let stance = reply.string.flatMap(Stance.init) else {
            throw .broken("todomate_stance answered something that is no stance")
        }
        return stance
    }

    /// Asks for it beside a question to the owner's side that is sent right after: both leave in one write.
    func stanceTask(of viewer: String, toward owner: String) -> Task<Result<Stance, TodoError>, Never> {
        Task {
            do throws(TodoError) {
                return .success(try await stance(of: viewer, toward: owner))
            } catch {
                return .failure(error)
            }
        }
    }
}
