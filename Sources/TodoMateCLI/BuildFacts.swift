import EventLoop
import RedisClient
import TodoMateGateway
import TodoMateRedis

/// How this program was built, for `--version` and for reports of faults; the plugin `SourceRevision` adds its commit.
enum BuildFacts {
    /// Two lines.
    static var text: String {
        """
        built by \(compiler) for \(system), \(mode)
        hiredis \(HiredisVersion.text) \(RedisURL.isTLSSupported ? "with" : "without") TLS, libevent \(LibeventVersion.text), \
        libsodium \(GatewayLibraries.sodium), zlib \(GatewayLibraries.zlib), function library \(RedisArchive.libraryVersion)
        """
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "Swift 6.4 or newer"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift 6.2"
        #endif
    }

    private static var system: String {
        #if os(Linux)
            let name = "Linux"
        #else
            let name = "macOS"
        #endif
        #if arch(x86_64)
            return "\(name) x86_64"
        #elseif arch(arm64)
            return "\(name) arm64"
        #else
            return name
        #endif
    }

    private static var mode: String {
        #if DEBUG
            "for debugging"
        #else
            "optimised"
        #endif
    }
}
