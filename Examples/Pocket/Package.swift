// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "pocket",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Where your checkout of TodoMate is.
        .package(name: "todomate", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Pocket",
            dependencies: [
                .product(name: "EventLoop", package: "todomate"),
                .product(name: "TodoMate", package: "todomate"),
                .product(name: "TodoMateClient", package: "todomate"),
            ]
        )
    ]
)
