// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// One set of switches for every Swift target; each names its Swift Evolution proposal.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]

/// hiredis has TLS from 1.0 on, in a library of its own. Without it everything builds, and `rediss://` is refused.
///
/// SwiftPM remembers what it found here: run `swift package purge-cache` after installing or removing the headers.
let hasTLS = ["hiredis/hiredis_ssl.h", "openssl/ssl.h"].allSatisfy { header in
    ["/usr/include/", "/usr/local/include/"].contains { FileManager.default.fileExists(atPath: $0 + header) }
}
let tlsTargets: [Target] =
    hasTLS ? [.systemLibrary(name: "CHiredisSSL", providers: [.apt(["libhiredis-dev", "libssl-dev"])])] : []
let tlsDependencies: [Target.Dependency] = hasTLS ? ["CHiredisSSL"] : []
let tlsSettings: [SwiftSetting] = hasTLS ? [.define("REDIS_TLS")] : []

/// Apps for Apple's systems have a loop of their own, on the main thread: `TodoMateClient` and all below it are built for that one there,
/// and elsewhere where `TODOMATE_LOOP` is `main`. What servers need of libevent is not there then.
#if os(macOS)
    let isOnMainThread = true
#else
    let isOnMainThread = Context.environment["TODOMATE_LOOP"] == "main"
#endif

/// `TODOMATE_FUZZ` is set by `scripts/fuzz` alone: the fuzz targets then make a program on libFuzzer, which has a `main` of
/// its own, and otherwise the tests that replay what it found.
let fuzzing: Target =
    Context.environment["TODOMATE_FUZZ"] == nil
    ? .testTarget(
        name: "FuzzTests",
        dependencies: ["TodoMateGateway", "TodoMateClient", "RedisClient", "CHiredis"],
        exclude: ["Driver", "Corpus"],
        swiftSettings: settings
    )
    : .executableTarget(
        name: "Fuzz",
        dependencies: ["TodoMateGateway", "TodoMateClient", "RedisClient", "CHiredis"],
        path: "Tests/FuzzTests",
        exclude: ["Replay", "Corpus"],
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
    )

/// `TODOMATE_BENCH` is set by `scripts/bench` alone.
let benchmarks: [Target] =
    Context.environment["TODOMATE_BENCH"] == nil
    ? []
    : [
        .executableTarget(
            name: "NotifyBenchmark",
            dependencies: ["Observing"],
            path: "Benchmarks/Notify",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "WorkerBenchmark",
            dependencies: ["TodoMateGateway", "TodoMateRedis", "TodoMate", "RedisClient", "EventLoop"],
            path: "Benchmarks/Worker",
            swiftSettings: settings
        ),
    ]

let package = Package(
    name: "todomate",
    // The first with `Mutex` (SE-0433); Linux has no such versions.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "todomate", targets: ["TodoMateCLI"]),
        .library(name: "Observing", targets: ["Observing"]),
        .library(name: "EventLoop", targets: ["EventLoop"]),
        .library(name: "RedisClient", targets: ["RedisClient"]),
        .library(name: "TodoMate", targets: ["TodoMate"]),
        .library(name: "TodoMateRedis", targets: ["TodoMateRedis"]),
        .library(name: "TodoMateClient", targets: ["TodoMateClient"]),
        .library(name: "TodoMateGateway", targets: ["TodoMateGateway"]),
    ],
    targets: tlsTargets + benchmarks + [
        fuzzing,
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .systemLibrary(name: "CJose", providers: [.apt(["libcjose-dev"])]),
        .systemLibrary(name: "CLibevent", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "COath", providers: [.apt(["liboath-dev"])]),
        .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSwiftRuntime"),
        .systemLibrary(name: "CMalloc"),

        .target(name: "Observing", dependencies: ["CSwiftRuntime"], swiftSettings: settings),
        .target(
            name: "EventLoop",
            dependencies: isOnMainThread ? [] : ["CLibevent"],
            exclude: isOnMainThread ? ["Libevent", "ChildProcess.swift"] : ["MainThread"],
            swiftSettings: settings
        ),
        .target(
            name: "RedisClient",
            dependencies: ["CHiredis", "EventLoop"] + tlsDependencies,
            swiftSettings: settings + tlsSettings
        ),
        .target(name: "HTTPServing", dependencies: ["CLibevent", "EventLoop"], swiftSettings: settings),
        .target(name: "Transfers", dependencies: ["CCurl", "EventLoop"], swiftSettings: settings),
        .target(name: "TodoMate", dependencies: ["Observing", "EventLoop"], swiftSettings: settings),
        // Foundation besides: an app has no other library to bring along.
        .target(
            name: "TodoMateClient",
            // On Apple's systems SQLite comes with the system, and Swift knows it.
            dependencies: [
                "TodoMate", "Observing", "EventLoop", .target(name: "CSQLite", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TodoMateRedis",
            dependencies: ["TodoMate", "RedisClient", "Observing", "EventLoop"],
            resources: [
                .embedInCode("todomate.lua"), .embedInCode("events.lua"), .embedInCode("relations.lua"),
                .embedInCode("emoji.lua"), .embedInCode("settings.lua"), .embedInCode("board.lua"),
                .embedInCode("restore.lua"), .embedInCode("accounts.lua"), .embedInCode("operations.lua"),
                .embedInCode("devices.lua"), .embedInCode("hiding.lua"),
                .embedInCode("sessions.lua"), .embedInCode("invitations.lua"), .embedInCode("resets.lua"),
                .embedInCode("mail.lua"), .embedInCode("identities.lua"),
                .embedInCode("operator.lua"),
                .embedInCode("factor.lua"),
                .embedInCode("leaving.lua"), .embedInCode("history.lua"), .embedInCode("goals.lua"),
                .embedInCode("search.lua"),
                .embedInCode("routines.lua"), .embedInCode("week.lua"), .embedInCode("notes.lua"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TodoMateGateway",
            dependencies: [
                "HTTPServing", "Transfers", "TodoMate", "Observing", "EventLoop", "CJose", "COath", "CQRencode",
                "CSodium",
                "CZlib",
            ],
            // The plugin packs it into the few files that browsers get.
            exclude: ["Web"],
            resources: [.embedInCode("openapi.json")],
            swiftSettings: settings,
            plugins: ["PackedPage"]
        ),
        .executableTarget(name: "PagePacker", swiftSettings: settings),
        .plugin(name: "PackedPage", capability: .buildTool(), dependencies: ["PagePacker"]),
        .target(name: "TerminalUI", dependencies: ["EventLoop"], swiftSettings: settings),
        .target(name: "CommandArguments", dependencies: ["TerminalUI"], swiftSettings: settings),
        .executableTarget(
            name: "TodoMateCLI",
            dependencies: [
                "CommandArguments", "TerminalUI", "TodoMateGateway", "HTTPServing", "TodoMateRedis", "TodoMateClient",
                "TodoMate",
                "RedisClient", "EventLoop", "CMalloc",
            ],
            swiftSettings: settings,
            plugins: ["SourceRevision"]
        ),
        .plugin(name: "SourceRevision", capability: .buildTool()),

        .target(
            name: "TestServers",
            dependencies: ["TodoMateRedis", "TodoMate", "RedisClient", "EventLoop"],
            path: "Tests/TestServers",
            swiftSettings: settings
        ),
        .testTarget(name: "ObservingTests", dependencies: ["Observing", "TestServers"], swiftSettings: settings),
        .testTarget(name: "EventLoopTests", dependencies: ["TestServers"], swiftSettings: settings),
        .testTarget(name: "RedisClientTests", dependencies: ["TestServers"], swiftSettings: settings + tlsSettings),
        .testTarget(name: "HTTPServingTests", dependencies: ["HTTPServing", "TestServers"], swiftSettings: settings),
        .testTarget(
            name: "TransfersTests",
            dependencies: ["Transfers", "HTTPServing", "TestServers"],
            swiftSettings: settings
        ),
        .testTarget(name: "TodoMateTests", dependencies: ["TestServers"], swiftSettings: settings),
        .testTarget(
            name: "TodoMateGatewayTests",
            dependencies: ["TodoMateGateway", "TestServers"],
            swiftSettings: settings
        ),
        .testTarget(name: "CommandArgumentsTests", dependencies: ["CommandArguments"], swiftSettings: settings),
        .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI"], swiftSettings: settings),
        .testTarget(
            name: "TodoMateCLITests",
            dependencies: ["TodoMateCLI", "CommandArguments", "TerminalUI", "TestServers"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TodoMateRedisTests",
            // What clients pass as well, by a gateway of the tests' own process.
            dependencies: ["TestServers", "TodoMateClient", "TodoMateGateway"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "OfflineDevice",
            dependencies: ["TodoMateClient", "TodoMate", "EventLoop"],
            path: "Tests/OfflineDevice",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TodoMateClientTests",
            // The device is run as a process, which is killed: naming it has it built.
            dependencies: ["TestServers", "TodoMateClient", "TodoMateGateway", "HTTPServing", "OfflineDevice"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests",
            // The documents' commands are run: naming the command has it built.
            dependencies: ["TestServers", "TodoMateCLI"],
            swiftSettings: settings
        ),
        .testTarget(name: "FaultTests", dependencies: ["TestServers", "TodoMateCLI"], swiftSettings: settings),
        .testTarget(
            name: "IntegrationTests",
            // The command is run as a process: naming it here has it built.
            dependencies: [
                "TestServers", "CommandArguments", "TerminalUI", "TodoMateCLI", "TodoMateGateway", "TodoMateRedis",
                "CJose",
            ],
            exclude: ["Witness"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "WebTests",
            dependencies: ["TestServers", "TodoMateCLI"],
            exclude: ["scenarios"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

if isOnMainThread {
    let apps: Set = ["CSwiftRuntime", "CSQLite", "Observing", "EventLoop", "TodoMate", "TodoMateClient"]
    package.products = package.products.filter { apps.contains($0.name) }
    package.targets =
        package.targets.filter { apps.contains($0.name) } + [
            .testTarget(
                name: "EventLoopTests",
                dependencies: ["EventLoop"],
                exclude: ["LibeventTests.swift", "ChildProcessTests.swift", "DescriptorWatchTests.swift"],
                swiftSettings: settings
            )
        ]
}
