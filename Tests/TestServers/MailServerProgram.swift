public import EventLoop
public import Foundation
public import Testing

/// A mail server of the test's own, which keeps what it takes; ended by pid.
@LoopActor
public final class MailServerProgram {
    /// A mail, as Python reads it.
    public struct Mail: Sendable, Decodable {
        /// The address that hears of failures, those that it goes to, and the name that the client said.
        public let from: String
        public let to: [String]
        public let name: String
        /// Whether it came over TLS, and as whom.
        public let isTLS: Bool
        public let user: String
        /// The fields, as they were meant.
        public let headers: [[String]]
        /// The text, as it was meant.
        public let text: String
        /// The mail as it came.
        public let raw: String

        /// The values of the fields of this name.
        public func fields(_ name: String) -> [String] { headers.filter { $0[0] == name }.map { $0[1] } }

        /// What stands behind `#kind=` in its link: a user and a secret.
        public func ticket(_ kind: String) -> (uid: String, secret: String)? {
            guard let start = text.range(of: "/#\(kind)=")?.upperBound else { return nil }
            let code = text[start...].prefix { !$0.isWhitespace }
            guard let dot = code.lastIndex(of: ".") else { return nil }
            return (String(code[..<dot]), String(code[code.index(after: dot)...]))
        }
    }

    /// Where its files are.
    public let folder: URL
    private let program: RunningProgram

    /// Starts it.
    ///
    /// - Parameter words: `starttls`, `smtps` and `auth`, as its own text says.
    public init(_ words: [String] = []) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-mail-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        let script = URL(fileURLWithPath: #filePath).appending(path: "../../WebTests/scenarios/mailbox/server.py")
        let arguments = ["-B", script.standardizedFileURL.path, folder.path] + words
        let program = try RunningProgram("/usr/bin/python3", arguments)
        self.program = program
        try await eventually("the mail server listens") { !program.lines.isEmpty && program.output.last == "\n" }
    }

    /// Where it listens.
    public var port: Int { Int(program.lines.first?.split(separator: " ").last ?? "") ?? 0 }

    /// What has it do something else; empty for the usual.
    public func behave(_ mode: String) throws {
        try Data(mode.utf8).write(to: folder.appending(path: "mode"), options: .atomic)
    }

    /// What it has taken so far.
    public var mails: [Mail] {
        let lines = (try? Data(contentsOf: folder.appending(path: "mails"))) ?? Data()
        return lines.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONDecoder().decode(Mail.self, from: $0) }
    }

    /// Waits for as many mails, and returns them.
    public func mails(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [Mail] {
        try await eventually("\(count) mails come", sourceLocation: sourceLocation) { mails.count >= count }
        try #require(mails.count == count, "\(mails.map(\.text))", sourceLocation: sourceLocation)
        return mails
    }

    /// Ends it.
    public func stop() async {
        await program.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A file that describes it, with `more` between its fields and the usual ones.
    public func settings(_ more: String = "") throws -> String {
        let path = folder.appending(path: "mail.json").path
        let text = #"{"server":"smtp://127.0.0.1:\#(port)","from":"TodoMate <todo@todo.example>"\#(more)}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }
}

/// Runs `body` with a mail server, and ends it.
@LoopActor
public func withMailServer(
    _ words: String...,
    body: @LoopActor (MailServerProgram) async throws -> Void
) async throws {
    let server = try await MailServerProgram(words)
    do {
        try await body(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
