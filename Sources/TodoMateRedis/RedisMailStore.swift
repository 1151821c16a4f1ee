package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// The addresses that accounts have mail sent to, in `todomate:{uid}:profile`.
@LoopActor
package final class RedisMailStore: MailStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func mail(of uid: String) async throws(TodoError) -> AccountMail {
        let reply = try await functions.call("todomate_mail", uid, [], readsOnly: true, isRepeatable: true)
        return try StoredJSON.read(reply.bytes, of: uid)
    }

    package func offer(
        _ address: String,
        by id: String,
        to uid: String,
        seconds: Int,
        since generation: Int?
    ) async throws(TodoError) {
        let words = [id, String(seconds), address] + (generation.map { [String($0)] } ?? [])
        _ = try await functions.call("todomate_offer_mail", uid, words, isRepeatable: true)
    }

    package func confirm(_ id: String, of uid: String) async throws(TodoError) -> (address: String, before: String?) {
        let reply = try await functions.call("todomate_confirm_mail", uid, [id], isRepeatable: false)
        guard let words = reply.array?.map(\.string), words.count == 2, let address = words[0] else {
            throw .broken("todomate_confirm_mail answered no address: 'todomate doctor' checks the functions")
        }
        return (address, words[1].flatMap { $0.isEmpty ? nil : $0 })
    }

    package func removeMail(of uid: String, since generation: Int?) async throws(TodoError) -> String? {
        let words = generation.map { [String($0)] } ?? []
        return Self.address(try await functions.call("todomate_remove_mail", uid, words, isRepeatable: false))
    }

    package func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError) -> String? {
        let words = [id, String(seconds)]
        return Self.address(
            try await functions.call("todomate_offer_mailed_reset", uid, words, isRepeatable: true)
        )
    }

    package func take(_ budgets: [ExactBudget]) async throws(TodoError) -> Int? {
        var taken: [String] = []
        for budget in budgets {
            if let place = try await freePlace(of: budget) {
                taken.append(place)
                continue
            }
            let wait = try await wait(for: budget)
            // What cannot be given back comes back by itself.
            for place in taken { _ = try? await functions.plain(RedisCommand("DEL", place), isRepeatable: true) }
            return wait
        }
        return nil
    }

    package func giveBack(_ budgets: [ExactBudget]) async throws(TodoError) {
        for budget in budgets {
            for place in Self.places(of: budget).reversed()
            where try await functions.plain(RedisCommand("DEL", place)).integer == 1 { break }
        }
    }

    /// Takes a place that nobody has, of as many as there may be: of two who ask at once, Redis lets one have it.
    private func freePlace(of budget: ExactBudget) async throws(TodoError) -> String? {
        for place in Self.places(of: budget) {
            let command = RedisCommand("SET", place, "1", "NX", "EX", String(budget.kind.seconds))
            if try await functions.plain(command).string == "OK" { return place }
        }
        return nil
    }

    private func wait(for budget: ExactBudget) async throws(TodoError) -> Int {
        let left = try await functions.plain(Self.places(of: budget).map { RedisCommand("TTL", $0) })
        return max(1, left.compactMap(\.integer).min() ?? 1)
    }

    private static func places(of budget: ExactBudget) -> [String] {
        (0..<budget.kind.most).map { "\(TodoKeys.mails)\(budget.kind.rawValue):\(budget.key):\($0)" }
    }

    private static func address(_ reply: RedisValue) -> String? { reply.string.flatMap { $0.isEmpty ? nil : $0 } }
}
