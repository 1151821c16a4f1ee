import CommandArguments
import TerminalUI
import TodoMate
import TodoMateClient
import TodoMateRedis

/// `todomate limits`
struct LimitsCommand: Command {
    static let about = CommandDescription(
        name: "limits",
        summary: "Show how much a user has, and how much the user may have.",
        discussion:
            "What an operator allows this user in place of what the server allows each is marked; 'todomate user limit' changes it. "
            + "How many writes a minute the server allows each is the workers' --write-rate.",
        examples: [.init("todomate limits alice"), .init("todomate limits alice --json | jq .todos")]
    )

    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        let allowance: AccountAllowance
        switch try query.places.place() {
        case .redis(let place):
            allowance = try await place.withRepository { try await AccountAllowance(of: query.user, in: $0.stores) }
        case .server(let place):
            allowance = try await place.withClient(as: query.user) { try await $0.allowance() }
        }
        try StandardOutput.write(query.asJSON ? allowance.json + "\n" : Self.table(allowance))
        return .ok
    }

    private static func table(_ allowance: AccountAllowance) -> String {
        AccountAllowance.Kind.allCases.compactMap { kind in
            guard let part = allowance[kind] else { return nil }
            let number = { kind == .bytes ? ByteCount.text($0) : String($0) }
            let amount = part.used.map { "\(number($0)) of \(number(part.most))" } ?? "\(number(part.most)) a minute"
            return "\(kind.rawValue.padded(toWidth: 10))\(amount)\(part.isOwn ? ", as an operator allows" : "")\n"
        }
        .joined()
    }
}
