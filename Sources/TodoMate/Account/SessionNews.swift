package import EventLoop
import Foundation

/// Sessions of a user have ended, or somebody has signed in: published where that happens, and not logged.
///
///     {"type":"sessions","generation":1763677123456789,"ended":["Zm9vYmFyYmF6cXV4cXV1eA"],"begun":"YmF6cXV4cXV1eFpNvYmFyA"}
///
/// It has no id, because it is no change of the user's history: a worker that missed it reads which sessions are live.
package struct SessionNews: Sendable, Equatable {
    /// The generation of the account from now on; sessions of any other have ended. Zero where there is no account any more.
    package let generation: Int
    /// Ids of sessions of this generation that have ended by themselves.
    package let ended: [String]
    /// The id of a session that has begun; nil for none.
    package let begun: String?
    /// The id of the session that has made it, a token; nil for none.
    package let maker: String?

    /// News of these parts.
    package init(generation: Int, ended: [String], begun: String? = nil, by maker: String? = nil) {
        self.generation = generation
        self.ended = ended
        self.begun = begun
        self.maker = maker
    }

    private struct Wire: Decodable {
        var type: String
        var generation: Int
        var ended: [String]
        var begun: String?
        var by: String?
    }

    /// The news in a message; nil for any other message.
    package init?(message: [UInt8]) {
        guard message.count <= TodoBounds.messageBytes, message.starts(with: Array(#"{"type":"sessions","#.utf8)),
            let wire = try? JSONDecoder().decode(Wire.self, from: Data(message))
        else { return nil }
        self.init(generation: wire.generation, ended: wire.ended, begun: wire.begun, by: wire.by)
    }
}

/// Is notified of the sessions of users whose channels are open.
@LoopActor
package protocol SessionObserver: AnyObject, Sendable {
    /// Sessions of a user have ended.
    func sessionsChanged(of uid: String, _ news: SessionNews)
    /// Whether somebody here depends on the sessions of a user.
    func needsSessions(of uid: String) -> Bool
    /// News of a user may have been missed, and arrive again from now on: ends what should have ended, by what is read now.
    ///
    /// - Returns: whether that could be read.
    func sessionsMissed(of uid: String) async -> Bool
    /// News of a user do not arrive any more.
    func sessionsUnheard(of uid: String)
}
