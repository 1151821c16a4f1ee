import Foundation

/// How many descriptors this process may have open.
enum DescriptorLimit {
    /// Those that are for something else than clients: Redis, listeners, files.
    private static let others = 32

    /// Raises the limit as far as the system lets it, and returns how many connections fit under it.
    static func raise() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0 else { return .max }
        return max(Int(clamping: limit.rlim_cur) - others, 1)
    }
}
