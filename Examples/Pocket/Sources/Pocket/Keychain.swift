import Foundation
import TodoMateClient

/// The token of whoever has signed in; an app keeps it in the keychain.
struct Keychain: CredentialSource {
    var token: String

    func token(inPlaceOf refused: String?) async -> String? { token == refused ? nil : token }
}

/// Where this program keeps what it is not to lose: the token, and the todos with what waits.
struct Pocket {
    private let folder: URL

    /// - Throws: what Foundation throws where the folder cannot be made.
    init(_ folder: URL) throws {
        self.folder = folder
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: permissions)
    }

    private var tokenFile: String { folder.appending(path: "token").path }
    var todosFile: String { folder.appending(path: "todos.sqlite").path }

    /// Nil before anybody has signed in.
    var token: String? { FileManager.default.contents(atPath: tokenFile).map { String(decoding: $0, as: UTF8.self) } }

    func keep(token: String) {
        // Nobody else reads it, not even for a moment.
        let permissions: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        _ = FileManager.default.createFile(atPath: tokenFile, contents: Data(token.utf8), attributes: permissions)
    }

    func forgetToken() { try? FileManager.default.removeItem(atPath: tokenFile) }
}
