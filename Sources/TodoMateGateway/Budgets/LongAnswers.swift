import EventLoop
import HTTPServing

/// Turns for long responses: each user has few of them at a time, until they are read.
@LoopActor
final class LongAnswers {
    private let turns = FairTurns(parallel: .max, parallelOfOne: 2, most: .max, mostOfOne: 32)

    /// A turn once it has come, if the session is still live, and for as long as it is.
    ///
    /// - Throws: a ``Problem`` when the person waits for too many already, or was signed out meanwhile.
    func turn(
        of person: String,
        _ principal: Authenticator.Principal,
        _ authenticator: Authenticator
    ) async throws(Problem) -> AnswerTurn {
        let turn = try await turn(of: person)
        try await authenticator.check(principal)
        return AnswerTurn(turn) { await authenticator.mayGoOn(principal) }
    }

    /// A turn once it has come.
    ///
    /// - Throws: a ``Problem`` when the person waits for too many already.
    func turn(of person: String) async throws(Problem) -> FairTurn {
        guard let turn = await turns.turn(for: person) else {
            throw Problem(
                .tooManyRequests,
                "\(person) waits for too many answers at a time: read those first",
                headers: ["Retry-After": "1"]
            )
        }
        return turn
    }
}
