import CommandArguments
import TerminalUI
import TodoMate
import TodoMateClient

/// `todomate whoami`
struct WhoamiCommand: Command {
    static let about = CommandDescription(
        name: "whoami",
        summary: "Tell where commands work, and as whom.",
        examples: [.init("todomate whoami"), .init("todomate whoami --json")]
    )

    @Flag(.json) private var asJSON: Bool
    private let stores = StoreOptions()

    func run() async throws -> ExitCode {
        switch try stores.place() {
        case .redis(let place):
            let line = "beside Redis at \(place), where everybody is an operator"
            try StandardOutput.write((asJSON ? JSONObject(["redis": place.description]).text : line) + "\n")
        case .server(let place):
            let holder = try await place.holder()
            var uid: String?
            var line = "nobody, at \(place.address): 'todomate login \(place.address)'"
            switch holder {
            case .user(let name):
                uid = name
                line = "\(name) at \(place.address)"
            case .anyone: line = "anyone at \(place.address), which runs without sign-in"
            case .nobody: break
            }
            let json = JSONObject(["server": place.address.description, "user": uid])
            try StandardOutput.write((asJSON ? json.text : line) + "\n")
            if holder == .nobody { return .unhealthy }
        }
        return .ok
    }
}
