import Foundation
import Testing

@testable import TodoMate

@Suite("The limits that an operator sets in the page")
struct OperatorBoundsTests {
    @Test("have the bounds that the server has", arguments: AccountLimits.Kind.allCases)
    func bounds(_ kind: AccountLimits.Kind) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/TodoMateGateway/Web/operatorAccounts.js")
        let script = try String(contentsOf: file, encoding: .utf8)
        let bounds = try Regex(
            "\\b\(kind.rawValue): \\[([0-9_]+), ([0-9_]+)\\]",
            as: (Substring, Substring, Substring).self
        )
        let found = try #require(script.firstMatch(of: bounds)?.output)
        #expect(Int(found.1.replacing("_", with: "")) == kind.range.lowerBound)
        #expect(Int(found.2.replacing("_", with: "")) == kind.range.upperBound)
    }
}
