import EventLoop
import Foundation
import TestServers

/// What `todomate doctor --json` prints.
struct DoctorAnswer: Decodable {
    struct Finding: Decodable {
        var topic: String
        var severity: String
        var message: String
        var advice: String?
    }

    var healthy: Bool
    var findings: [Finding]
    var errors: [Finding] { findings.filter { $0.severity == "error" } }

    func finding(_ topic: String, _ part: String) -> Finding? {
        findings.first { $0.topic == topic && $0.message.contains(part) }
    }

    /// The answer and the exit code, if it was not ended by a signal.
    static func read(_ outcome: Program.Outcome) throws -> (DoctorAnswer, code: Int32?) {
        let answer = try JSONDecoder().decode(DoctorAnswer.self, from: Data(outcome.output.utf8))
        guard case .exit(let code) = outcome.ending else { return (answer, nil) }
        return (answer, code)
    }
}
