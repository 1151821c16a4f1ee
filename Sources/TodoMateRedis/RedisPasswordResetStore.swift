package import EventLoop
import RedisClient
package import TodoMate

/// Links by which a password is set once, in `todomate:{uid}:profile`.
@LoopActor
package final class RedisPasswordResetStore: PasswordResetStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError) {
        _ = try await functions.call("todomate_offer_reset", uid, [id, String(seconds)], isRepeatable: true)
    }

    package func isReset(_ id: String, of uid: String) async throws(TodoError) -> Bool {
        do throws(TodoError) {
            _ = try await functions.call("todomate_check_reset", uid, [id], readsOnly: true, isRepeatable: true)
            return true
        } catch {
            guard case .notFound = error else { throw error }
            return false
        }
    }

    package func resetPassword(_ id: String, of uid: String, hash: String) async throws(TodoError) -> Int {
        let reply = try await functions.call("todomate_reset_password", uid, [id, hash], isRepeatable: false)
        guard let generation = reply.string.flatMap({ Int($0) }) else {
            throw .broken("todomate_reset_password answered no generation: 'todomate doctor' checks the functions")
        }
        return generation
    }
}
