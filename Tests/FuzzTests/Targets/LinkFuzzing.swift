@testable import TodoMate
@testable import TodoMateGateway

/// What links carry that let somebody in.
enum LinkFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let code = LinkCode(text) else { return }
        try require(code.text == text, "'\(text)' reads as '\(code.text)'")
        // The name goes into keys as it is, and the secret holds what it says.
        try require(TodoBounds.isUID(code.uid.utf8), "accepted for '\(code.uid)', who can be no user")
        let secret = text.utf8.dropFirst(code.uid.utf8.count + 1)
        try require(secret.count == 32 && TodoBounds.isID(secret), "accepted with the secret of '\(text)'")
        for purpose in [LinkCode.Purpose.join, .reset] {
            try require(InvitationDraft.isID(code.digest(for: purpose)), "the digest of '\(text)' is none")
        }
        try require(!TodoBounds.isUID("join=\(text)".utf8), "a link's '\(text)' can be taken for a name")
    }
}
