package import EventLoop
import RedisClient
package import TodoMate

/// Second factors, in `todomate:{uid}:factor`.
@LoopActor
package final class RedisFactorStore: FactorStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func factor(of uid: String) async throws(TodoError) -> StoredFactor {
        let reply = try await functions.call("todomate_factor", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func prepare(_ sealed: String, of uid: String, seconds: Int) async throws(TodoError) {
        _ = try await functions.call("todomate_prepare_factor", uid, [sealed, String(seconds)], isRepeatable: true)
    }

    package func turnOn(
        _ sealed: String,
        of uid: String,
        step: Int,
        recovery: [String],
        keeping session: String
    ) async throws(TodoError) -> [String] {
        let words = [sealed, String(step), recovery.joined(separator: " "), session]
        let reply = try await functions.call("todomate_turn_on_factor", uid, words, isRepeatable: false)
        guard let ended = reply.string else { throw Self.broken("todomate_turn_on_factor") }
        return ended.split(separator: " ").map(String.init)
    }

    package func tryCode(
        of step: Int?,
        against sealed: String,
        of uid: String,
        from network: String,
        renewed: String?
    ) async throws(TodoError) -> CodeVerdict {
        let words = [sealed, String(step ?? 0), network] + (renewed.map { [$0] } ?? [])
        // Not twice: the first may have taken it.
        let reply = try await functions.call("todomate_try_code", uid, words, isRepeatable: false)
        switch reply.integer {
        case 1?: return .taken
        case 0?: return .refused
        case let wait? where wait < 0: return .wait(seconds: -wait)
        default: throw Self.broken("todomate_try_code")
        }
    }

    package func useRecovery(_ digest: String, of uid: String, from network: String) async throws(TodoError) -> Int? {
        do throws(TodoError) {
            let reply = try await functions.call("todomate_use_recovery", uid, [digest, network], isRepeatable: false)
            guard let left = reply.integer else { throw Self.broken("todomate_use_recovery") }
            return left
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    package func renewRecovery(_ digests: [String], of uid: String) async throws(TodoError) {
        let words = [digests.joined(separator: " ")]
        _ = try await functions.call("todomate_renew_recovery", uid, words, isRepeatable: true)
    }

    @discardableResult
    package func turnOff(of uid: String) async throws(TodoError) -> Bool {
        try await functions.call("todomate_turn_off_factor", uid, [], isRepeatable: false).integer == 1
    }

    private static func broken(_ name: String) -> TodoError {
        .broken("\(name) answered something else than it should: 'todomate doctor' checks the functions")
    }
}
