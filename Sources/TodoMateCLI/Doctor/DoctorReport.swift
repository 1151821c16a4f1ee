import CommandArguments
import Foundation
import TerminalUI
import TodoMate

/// What the doctor says: to people, or to programs.
struct DoctorReport: Encodable {
    /// Whether there is no warning and no error.
    let healthy: Bool
    let findings: [Finding]

    init(_ findings: [Finding]) {
        self.findings = findings
        healthy = findings.allSatisfy { $0.severity <= .note }
    }

    /// 0 without warnings, 1 with an error, 2 with warnings alone.
    var exitCode: ExitCode {
        switch findings.map(\.severity).max() {
        case .error: .unhealthy
        case .warning: .doubtful
        default: .ok
        }
    }

    /// One JSON object: `{"findings":[{"advice":"…","message":"…","severity":"error","topic":"…"}],"healthy":false}`.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: LineSeparators.escaped(in: Array(try encoder.encode(self))), as: UTF8.self) + "\n"
    }

    /// A line a finding, with what to do below it.
    func text(style: StyleSupport) -> String {
        let width = findings.map(\.topic.displayWidth).max() ?? 0
        var lines = findings.flatMap { finding -> [String] in
            let line = "\(finding.topic.padded(toWidth: width))  \(finding.message.sanitized())"
            let mark = style.apply(.bold, .color(finding.severity.color), to: finding.severity.mark)
            let advice = finding.advice.map { String(repeating: " ", count: width + 4) + "→ \($0.sanitized())" }
            return ["\(mark) \(line)"] + (advice.map { [$0] } ?? [])
        }
        let (errors, warnings) = (count(.error), count(.warning))
        lines.append(
            healthy
                ? "\nAll is well."
                : "\n\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")."
        )
        return lines.joined(separator: "\n") + "\n"
    }

    private func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }
}

extension Finding.Severity {
    fileprivate var mark: String {
        switch self {
        case .ok: "✓"
        case .note: "·"
        case .warning: "!"
        case .error: "✗"
        }
    }

    fileprivate var color: NamedColor {
        switch self {
        case .ok: .green
        case .note: .blue
        case .warning: .yellow
        case .error: .red
        }
    }
}
