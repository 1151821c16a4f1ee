import CommandArguments
import EventLoop
import TodoMateRedis

/// `todomate library load`
struct LibraryLoadCommand: Command {
    static let about = CommandDescription(
        name: "library load",
        summary: "Load the function library into Redis, where workers may not.",
        discussion:
            "Workers and commands load it themselves when Redis has none or an older one. Where their Redis user may not "
            + "FUNCTION LOAD, so that a compromised worker cannot install other functions, run this once for each "
            + "version, as a Redis user who may. A newer library stays.",
        examples: [.init("todomate library load --redis redis://operator@redis:6379")]
    )

    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let stored = try await redis.place().withClient { try await FunctionLibrary($0).load() }
        let own = FunctionLibrary.version
        let note = stored > own ? ", newer than this program's \(own)" : ""
        try StandardOutput.write("Redis has version \(stored) of the function library\(note).\n")
        return .ok
    }
}

/// `todomate library show`
struct LibraryShowCommand: Command {
    static let about = CommandDescription(
        name: "library show",
        summary: "Show which version of the function library Redis and this program have.",
        examples: [
            .init("todomate library show"),
            .init("todomate library show --source | redis-cli --user operator --askpass -x FUNCTION LOAD REPLACE"),
        ]
    )

    @Flag(
        "source",
        help: "Print the source of this program's version, for FUNCTION LOAD, without using Redis."
    )
    private var showsSource: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        guard !showsSource else {
            try StandardOutput.write(String(decoding: FunctionLibrary.source, as: UTF8.self))
            return .ok
        }
        let stored = try await redis.place().withClient { try await FunctionLibrary($0).storedVersion() }
        let found = stored.map { "has version \($0) of the function library" } ?? "does not have the function library"
        try StandardOutput.write("Redis \(found); this program's is version \(FunctionLibrary.version).\n")
        return .ok
    }
}
