import EventLoop
import Foundation
import TestServers
import TodoMate

/// `todomate watch` into a file, on a deployment to which things happen.
@LoopActor
final class Watcher {
    private let program: RunningProgram
    private let users: [String]

    init(_ users: [String], at address: String) throws {
        self.users = users
        program = try RunningProgram("todomate", ["watch"] + users + ["--redis", address])
    }

    /// The users whose last change it has not shown.
    private var unshown: [String] {
        let shown = program.output
        return users.filter { !shown.contains("\($0)!last\n") }
    }

    /// Waits until it has shown a change of each user that is made now, and returns what was wrong with all its lines.
    ///
    /// - Parameter twiceAdded: contents that may have been added a second time after the first was lost.
    func finish(_ deployment: Deployment, twiceAdded: Set<String>) async throws -> [String] {
        var objections: [String] = []
        for uid in users {
            // Of today: whoever has to list anew just now is shown it by that.
            let today = CalendarDate(Date(), in: .current)
            let todo = "{\"content\":\"\(uid)!last\",\"date\":\"\(today)\"}"
            let answer = await deployment.control(deployment.adding(todo, for: uid))
            if !answer.contains("!last") { objections.append("watch: \(uid)'s last change was refused: \(answer)") }
        }
        let begin = ContinuousClock.now
        while !unshown.isEmpty, ContinuousClock.now - begin < .seconds(60) {
            await LoopTimer.sleep(for: .milliseconds(10))
        }
        for uid in unshown {
            let said = program.errors.split(separator: "\n").suffix(8).joined(separator: " | ")
            objections.append("watch: does not show the last change of \(uid); it said: \(said)")
        }
        await program.stop()
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
