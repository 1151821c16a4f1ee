// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Where your checkout of TodoMate is.
        .package(name: "todomate", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "TodoFeed",
            dependencies: [
                .product(name: "TodoMate", package: "todomate"),
                .product(name: "TodoMateRedis", package: "todomate"),
            ]
        ),
        .executableTarget(
            name: "Thermometer",
            dependencies: [
                .product(name: "Observing", package: "todomate"),
                .product(name: "TodoMateRedis", package: "todomate"),
            ]
        ),
    ]
)
