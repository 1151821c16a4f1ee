import EventLoop
import TestServers
import Testing

/// `todomate watch` into a file, on a deployment to which things happen.
@LoopActor
final class Watcher {
    private let program: RunningProgram
    private let users: [String]

    init(_ users: [String], at address: String) throws {
        self.users = users
        program = try RunningProgram("todomate", ["watch"] + users + ["--redis", address])
    }

    /// Waits until it has shown a change of each user that is made now, and returns what was wrong with all its lines.
    ///
    /// - Parameter twiceAdded: contents that may have been added a second time after the first was lost.
    func finish(_ deployment: Deployment, twiceAdded: Set<String>) async throws -> [String] {
        for uid in users {
            let todo = "{\"content\":\"\(uid)!last\",\"date\":\"2026-11-20\"}"
            await deployment.control(deployment.adding(todo, for: uid))
        }
        try await eventually("watch shows each user's last change", within: .seconds(60)) {
            let shown = program.output
            return users.allSatisfy { shown.contains("\($0)!last\n") }
        }
        await program.stop()
        var objections: [String] = []
        var added: Set<Substring> = []
        for line in program.output.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 5, let content = words.last, users.contains(String(words[0])) else {
                objections.append("watch: another line: \(line)")
                continue
            }
            if !content.hasPrefix("\(words[0])!") { objections.append("watch: somebody else's: \(line)") }
            // No other content is added twice.
            guard words[1] == "added", !twiceAdded.contains(String(content)) else { continue }
            if !added.insert(content).inserted { objections.append("watch: shown twice: \(line)") }
        }
        return objections
    }
}
